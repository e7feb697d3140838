use super::*;

fn told(summary: &Summary, output: &str) -> String {
    summary.of(&Told { line: "git x\ny", output, cut: false, code: 0 }).unwrap()
}

#[test]
fn a_run_is_told_in_one_line() {
    let diff =
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+--d\ndiff --git a/e b/e\n";
    assert_eq!(told(&Summary::GitDiff, diff), "2 files, +2 -1");
    assert_eq!(
        told(&Summary::GitDiff, " a | 2 +-\n 1 file changed, 1 insertion(+)\n"),
        "1 file changed, 1 insertion(+)"
    );
    assert_eq!(told(&Summary::GitDiff, ""), "no changes");
    let log = "commit 0123456789abcdef\nAuthor: a\n\n    commit me\n\ncommit fedcba9876543210 (HEAD)\n";
    assert_eq!(told(&Summary::GitLog, log), "2 commits");
    assert_eq!(told(&Summary::GitLog, "0123456 one\n"), "1 commit");
    assert_eq!(told(&Summary::GitStatus, "## main\n M a\n?? b\n"), "2 changed files");
    assert_eq!(told(&Summary::GitStatus, "## main\n"), "nothing changed");
    assert_eq!(told(&Summary::Grep, "a:1:x\nb:2:y\n"), "2 matches");
    assert_eq!(told(&Summary::CommandEcho, "anything"), "git x");
    assert_eq!(told(&Summary::LineCount("branches".into()), "main\n"), "1 branch");
    assert_eq!(told(&Summary::LineCount("lines".into()), ""), "no lines");
    assert_eq!(Summary::Output.of(&Told { line: "", output: "x", cut: false, code: 0 }), None);
}

#[test]
fn a_failure_and_a_cut_are_told() {
    let told = Told { line: "x", output: "a\nb\n", cut: true, code: 1 };
    assert_eq!(Summary::LineCount("rows".into()).of(&told).unwrap(), "2 or more rows (exit code 1)");
}
