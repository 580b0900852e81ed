//! Twelve colours that people with any kind of colour vision tell apart, on light and on dark paper.
//!
//! Found by a random search for the largest least distance under four kinds of colour vision, every colour with
//! a contrast of at least 3 to its paper (what WCAG 2.2 asks of graphics). The style sheet takes them from
//! here.

/// Colours before they repeat.
pub const COUNT: usize = 12;

/// On light paper.
pub const LIGHT: [&str; COUNT] = [
    "#003aba", "#e57300", "#1fa76a", "#790065", "#79898e", "#f11743", "#4678ff", "#595211",
    "#c864c6", "#3d1c07", "#980a4b", "#140319",
];
/// On dark paper.
pub const DARK: [&str; COUNT] = [
    "#21baf4", "#ff6a1a", "#fff90c", "#995cff", "#4bfd6f", "#eca7a8", "#566a80", "#ca120f",
    "#cdfbf6", "#aca261", "#9342b1", "#9b4f4c",
];
/// The light paper.
pub const LIGHT_PAPER: &str = "#ffffff";
/// The dark paper.
pub const DARK_PAPER: &str = "#15181d";

/// The class of a cluster's colour.
pub fn class(cluster: usize) -> &'static str {
    [
        "g g0", "g g1", "g g2", "g g3", "g g4", "g g5", "g g6", "g g7", "g g8", "g g9", "g g10",
        "g g11",
    ][cluster % COUNT]
}

/// The colours as properties of a style sheet.
pub fn properties(colours: &[&'static str; COUNT]) -> String {
    let one = |(c, colour): (usize, &&str)| format!("--g{c}:{colour};");
    colours.iter().enumerate().map(one).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Linear light of a colour.
    fn light(hex: &str) -> [f64; 3] {
        [1, 3, 5].map(|i| {
            let v = f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn luminance(c: [f64; 3]) -> f64 {
        0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
    }

    /// As WCAG 2.2 has it.
    pub fn contrast(one: &str, other: &str) -> f64 {
        let (a, b) = (luminance(light(one)), luminance(light(other)));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn times(m: &[[f64; 3]; 3], c: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| (0..3).map(|j| m[i][j] * c[j]).sum::<f64>().clamp(0.0, 1.0))
    }

    fn lab(c: [f64; 3]) -> [f64; 3] {
        let xyz = times(
            &[[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]],
            c,
        );
        let f = |v: f64| if v > 0.008856 { v.cbrt() } else { 7.787 * v + 16.0 / 116.0 };
        let [x, y, z] = [f(xyz[0] / 0.9505), f(xyz[1]), f(xyz[2] / 1.089)];
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Nobody, and people without red, green or blue cones (Machado, Oliveira & Fernandes 2009).
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    #[test]
    fn colours_stand_out_from_their_paper() {
        for (colours, paper) in [(LIGHT, LIGHT_PAPER), (DARK, DARK_PAPER)] {
            for colour in colours {
                let found = contrast(colour, paper);
                assert!(found >= 3.0, "{colour} on {paper}: {found:.2}");
            }
        }
    }

    #[test]
    fn colours_differ_for_every_kind_of_colour_vision() {
        for colours in [LIGHT, DARK] {
            for eye in &EYES {
                for (i, a) in colours.iter().enumerate() {
                    for b in &colours[..i] {
                        let (p, q) = (lab(times(eye, light(a))), lab(times(eye, light(b))));
                        let apart: f64 = (0..3).map(|j| (p[j] - q[j]).powi(2)).sum();
                        // Ten times what is just noticed.
                        assert!(apart.sqrt() > 23.0, "{a} and {b}: {:.1}", apart.sqrt());
                    }
                }
            }
        }
    }
}
