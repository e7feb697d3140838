//! The figures and how they are shown.

use std::time::Duration;

/// The value below which `percent` of the samples lie.
pub fn percentile(samples: &mut [Duration], percent: usize) -> Duration {
    samples.sort_unstable();
    samples[(samples.len() * percent / 100).min(samples.len() - 1)]
}

/// The middle of the samples.
pub fn median(samples: &mut [Duration]) -> Duration {
    percentile(samples, 50)
}

/// A duration in milliseconds.
pub fn ms(duration: Duration) -> String {
    format!("{:.2} ms", duration.as_secs_f64() * 1e3)
}

/// A whole divided by a number, in microseconds.
pub fn us_each(whole: Duration, count: usize) -> String {
    format!("{:.1} µs", whole.as_secs_f64() * 1e6 / count as f64)
}

/// Median and 95th percentile.
pub fn spread(samples: &mut [Duration]) -> String {
    format!("{}, p95 {}", ms(median(samples)), ms(percentile(samples, 95)))
}

/// Print one row; each is shown as soon as it is known.
pub fn row(what: &str, measured: &str, goal: &str) {
    println!("| {what:<58} | {measured:<26} | {goal:<24} |");
}

/// Print the head.
pub fn head() {
    row("what", "measured", "goal");
    row(&"-".repeat(58), &"-".repeat(26), &"-".repeat(24));
}
