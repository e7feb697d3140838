//! The one integration binary.

mod tidy;
mod demo;
mod run;
