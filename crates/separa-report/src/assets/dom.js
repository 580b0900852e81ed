// Elements: text from data only ever becomes textContent.
const make = (name, text, inside) => {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  if (inside) inside.append(element);
  return element;
};
const shape = (name, inside, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text) element.textContent = text;
  inside.append(element);
  return element;
};

