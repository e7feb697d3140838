//! Step 5 for command lines: rules against every simple command, and never against less.

use super::*;
use Verdict::{Allow, Ask, Deny};

/// The rule set of the published cases.
fn usual() -> Setup {
    Setup::new(
        r#"bash:
  allow: ["git status", "git diff", "git diff *", "cargo test*", "echo *", "cat *", ls, "ls *"]
  deny: ['/^rm\s+-rf/']"#,
    )
}

#[test]
fn c6_rules_see_every_command() {
    let setup = Setup::new("bash: { allow: ['git status*'], deny: ['rm *'] }");
    setup.check(Allow, &["git status", "git  status --short"]);
    setup.check(
        Deny,
        &[
            "git status && rm -rf build",
            "git status\nrm a",
            "FOO=1 rm x",
            "(rm x)",
            "git status; rm a",
            "rm a | git status",
            "git status & rm x",
            "! rm x",
            "/bin/rm x",
            "r''m x",
            "sudo rm x",
            "git status $(rm x)",
            "bash -c 'rm x'",
            "RM x",
        ],
    );
    setup.check(
        Ask,
        &[
            "git status; curl x",
            "git status $(touch p)",
            "echo \"rm x\"",
            "git status > f",
            "git stash",
            "rmdir x",
        ],
    );
}

#[test]
fn a01_every_part_of_a_chain_must_be_allowed() {
    usual().check(Allow, &["echo hi && ls", "echo \"a && b\"", "ls | cat -n", "git diff a; git status"]);
    usual().check(
        Ask,
        &[
            "echo hi && id",
            "echo hi; id",
            "ls || id",
            "echo hi | id",
            "echo hi & id",
            "echo hi |& id",
            "id && ls",
        ],
    );
}

#[test]
fn a02_a05_what_is_not_plain_asks() {
    usual().not_allowed(&[
        "git status\nrm -rf x",
        "git status\r",
        "git sta\\\ntus",
        "git status\0; id",
        "echo $(id)",
        "echo `id`",
        "cat <(id)",
        "echo $((a[$(id)]))",
        "PAGER=./x git diff a",
        "GIT_EXTERNAL_DIFF=./x git diff a",
        "RUSTC_WRAPPER=./x cargo test",
        "cat <<E && id\nx\nE",
        "cat <<< x",
        "git diff a > f",
        "cat < ../O/secret",
        "git\tstatus",
        "git\u{a0}status",
        "echo 'abc",
        "ls {a,b}",
        "echo =ls",
        "ls *(e:'id':)",
        "cat ~/x",
    ]);
    usual().check(Deny, &["git status\nrm -rf x", "A=1 rm -rf x", "rm  -rf x", " rm -rf x"]);
    usual().check(Allow, &["echo '$(id)'", "git  status", "ls 2>&1", "ls >/dev/null"]);
}

#[test]
fn a05_an_exact_rule_may_name_a_variable_and_its_value() {
    let setup = Setup::new("bash: { allow: ['RUST_LOG=debug cargo test', 'cargo *'] }");
    setup.check(Allow, &["RUST_LOG=debug cargo test", "RUST_LOG='debug' cargo  test"]);
    setup.check(Ask, &["RUST_LOG=trace cargo test", "RUST_LOG=debug cargo test x", "A=1 cargo test"]);
}

#[test]
fn a09_a_wrapper_is_a_program_of_its_own() {
    usual().check(Deny, &["env rm -rf x", "timeout 5 rm -rf x", "sudo rm -rf x", "bash -c 'rm -rf x'"]);
    usual().check(
        Ask,
        &["timeout 5 git status", "env git status", "bash -c 'git status'", "xargs echo", "time ls"],
    );
    let starred = Setup::new(
        "bash: { allow: ['timeout *', 'sudo *', 'xargs *', 'bash *', 'eval *', 'env *', 'timeout 5 make'] }",
    );
    starred.check(Ask, &["timeout 5 ls", "sudo ls", "ls | xargs ls", "bash -c ls", "eval ls", "env ls"]);
    starred.check(Allow, &["timeout 5 make", "bash x.sh"]);
    Setup::new("bash: { allow: [\"bash -c 'ls'\"] }").check(Ask, &["bash -c 'ls'"]);
}

#[test]
fn a11_a12_names_are_matched_after_quote_removal() {
    usual().check(Deny, &["r''m -rf x", "\"rm\" -rf x", "r\\m -rf x", "/bin/rm -rf x", "$'\\x72m' -rf x"]);
    usual().not_allowed(&["/bin/r? -rf x", "$'rm' x", "\"git\" status", "g\\it status"]);
}

#[test]
fn a13_catastrophic_deletes_are_refused_whatever_the_rules_say() {
    let setup = Setup::new("bash: { allow: ['*', 'rm *', 'rm -rf /'], default: allow }");
    setup.check(
        Deny,
        &[
            "rm -fr /",
            "rm -r -f ~",
            " rm -rf /",
            "/bin/rm -rf $HOME",
            "rm --recursive --force .",
            "rm --rec -f /",
            "rm -rf -- /",
            "rm -rf \"$HOME\"",
            "rm -rf ${HOME}/",
            "rm -rf ~/",
            "rm -rf ~/*",
            "rm -rf $HOME/*",
            "rm -rf //",
            "rm -rf /.",
            "rm -rf /*",
            "rm -Rf ./",
            "rm -rf ..",
            "rm -rf *",
            "rm -rf ./*",
            "rm -rf .git",
            "rm -rf sub/.git/",
            "rm -rf .GIT",
            "rm -rf /ws",
            "rm -rf /ws/",
            "rm -rf /h/u",
            "rm -rf /h",
            "rm -r ~root",
            "sudo rm -rf /",
            "bash -c 'rm -rf /'",
            "echo / | xargs -I{} rm -rf /",
            "cd / && rm -rf *",
            "cd sub; rm -rf ..",
            "rm -rf a b /",
            "rm -rf a/../..",
            "r''m -rf '/'",
            "true && (rm -rf /)",
            "find . -exec rm -rf / \\;",
            "rm -rf ~/x/..",
            "rm -rf {*,.*}",
            "rm / -rf",
            "rm -rf .git/*",
        ],
    );
    setup.check(Allow, &["rm -rf build", "rm -rf sub/x", "cd build && rm -rf x", "rm x"]);
    setup.check(Ask, &["rm -rf build/*", "rm -rf ~/x", "rm -rf \"$PWD\"", "cd build && rm -rf *"]);
    let decision = setup.decide(&bash("rm -rf /"));
    assert!(
        decision.reason_for_model.contains("`rm -rf /` would delete the root of the file system"),
        "{decision:?}"
    );
    Setup::new("").check(Ask, &["find . -delete"]);
}

#[test]
fn a14_over_the_limits_deny_still_counts() {
    usual().check(
        Deny,
        &[&format!("{}rm -rf /", "true;".repeat(60)), &format!("echo {}; rm -rf x", "x ".repeat(20_000))],
    );
    usual().check(
        Ask,
        &[&"echo a; ".repeat(60), &format!("echo {}", "x ".repeat(20_000)), &"$(".repeat(10_000)],
    );
    assert_eq!(usual().bash(&"a ".repeat(200_000)), Deny, "no shell could be handed this");
}

#[test]
fn a15_changes_of_directory_are_followed() {
    let setup = Setup::new("bash: { allow: ['echo *', 'cat *', ls, 'git *'] }");
    setup.check(Allow, &["cd sub && ls", "cd sub", "cd sub/../b; ls", "cd /ws/sub && cd .. && ls"]);
    setup.check(
        Ask,
        &[
            "cd .git/hooks && echo x",
            "cd .. && cat f",
            "cd / && ls",
            "cd && ls",
            "cd - && ls",
            "cd $X && ls",
            "cd ~ && ls",
            "cd sub && cd ../.. && ls",
            "cd -P sub && ls",
            "A=1 cd sub",
            "cd a b",
            "cd sub && git status",
            "pushd sub && ls",
        ],
    );
    setup.check(Allow, &["cd sub && cd .. && git status"]);
    assert_eq!(setup.decide(&bash_in("sub", "git status")).verdict, Ask);
    Setup::new("bash: { allow: ['git status'] }").check(Ask, &["cd sub && git status"]);
    Setup::new("bash: { allow: [ls], deny: ['cd *'] }").check(Deny, &["cd sub && ls"]);
    Setup::new("bash: { allow: [ls], ask: ['cd *'] }").check(Ask, &["cd sub && ls"]);
}

#[test]
fn a16_a_rule_covers_the_whole_command_or_nothing() {
    let setup = Setup::new("bash: { allow: ['cargo test', 'cargo test *'] }");
    setup.check(Allow, &["cargo test", "cargo test --lib"]);
    setup.check(Ask, &["cargo test-evil", "xcargo test", "cargo tes"]);
    let regex = Setup::new("bash: { allow: ['/cargo test/', '/^ls( -l)?$/'] }");
    regex.check(Allow, &["cargo test", "ls -l", "ls"]);
    regex.check(Ask, &["cargo test --x", "cargo test; id", "ls -la"]);
}

#[test]
fn a17_precedence() {
    let setup = Setup::new("bash: { allow: ['git *'], ask: ['git push*'], deny: ['git push --force*'] }");
    setup.check(Allow, &["git log", "git push"]);
    setup.check(Deny, &["git push --force", "git log && git push --force x"]);
    let specific = Setup::new("bash: { allow: ['git log*'], ask: ['git push*'], default: allow }");
    specific.check(Ask, &["git push", "git log && git push x"]);
    specific.check(Allow, &["git log", "ls"]);
    specific.check(Ask, &["ls $(x)", "ls > f"]);
}

#[test]
fn b01_b02_b04_b06_a_star_does_not_cover_options_that_run_or_write() {
    let all = Setup::new(
        "bash: { allow: ['find *', 'git *', 'rg *', 'fd *', 'sort *', 'tar *', 'man *', 'sed *', 'awk *', 'less *', 'cargo *', 'go *', 'echo *', 'find . -delete', 'git -C sub status'] }",
    );
    all.check(
        Ask,
        &[
            "find . -exec ls '{}' ';'",
            "find . -execdir ls",
            "find . -ok ls",
            "find . -okdir ls",
            "find x -delete",
            "find . -fprint f",
            "find . -fprintf f x",
            "find . -fls f",
            "find . -files0-from f",
            "git -c core.fsmonitor=x status",
            "git --exec-path=x status",
            "git -C ../O status",
            "git --git-dir=x status",
            "git diff --output=M",
            "git log --output M",
            "git diff --outp=M",
            "git grep -Ox a",
            "git grep --open-files=x a",
            "git diff --no-index /etc/hostname x",
            "git ls-remote --upload-pa=x .",
            "git fetch --upload-pack x",
            "git clone ext::x y",
            "git foo",
            "git bisect run x",
            "git submodule foreach x",
            "git config a b",
            "git rebase -x ls",
            "git difftool",
            "rg --pre=x a",
            "rg --pre x a",
            "rg --hostname-bin x a",
            "fd a -x ls",
            "fd a -X ls",
            "fd --exec ls",
            "fd -Hx ls",
            "sort -o f",
            "sort --output=f",
            "sort --compress-program=x",
            "tar xIf x y",
            "tar -I x -xf y",
            "tar xf y --checkpoint-action=exec=x",
            "tar xf y --to-command=x",
            "man -Px ls",
            "man --html=x ls",
            "sed s/a/b/e",
            "sed -n 'w M'",
            "sed '1e id'",
            "sed -i s/a/b/ f",
            "sed -n -f s f",
            "awk 'BEGIN{system(\"id\")}'",
            "less +!id",
            "cargo --config x test",
            "cargo +evil test",
            "go test -exec x",
            "go test --exec=x",
            "go vet -vettool=x",
            "go build -toolexec x",
            "go test -o x",
            "go test -overlay=x",
        ],
    );
    all.check(
        Allow,
        &[
            "find . -name x",
            "find . -type f -newer a",
            "find . -delete",
            "git status",
            "git log --oneline -5",
            "git diff HEAD~1 -- a",
            "git commit -m 'a b'",
            "git show --stat",
            "rg -n pattern src",
            "fd -e rs",
            "sort -u",
            "tar tf x",
            "man ls",
            "sed -n '1,5p' f",
            "sed -n 5p f",
            "sed -n '$p' f",
            "cargo test --lib",
            "go test ./...",
            "git branch --remotes",
            "git push -u origin main",
        ],
    );
    all.check(Ask, &["git -C sub status && git -C sub log"]);
}

#[test]
fn b05_b07_nothing_is_allowed_by_built_in_knowledge() {
    let bare = Setup::new("");
    for line in [
        "npm install",
        "npx x",
        "cargo test",
        "make",
        "pytest",
        "go test",
        "ping x",
        "nslookup x",
        "dig x",
        "curl x",
        "ssh x",
        "git ls-remote",
        "git fetch",
        "ls",
        "cat x",
        "ls | xargs -t touch echo",
    ] {
        assert_eq!(bare.bash(line), Ask, "{line}");
    }
    assert_eq!(bare.mode(Mode::Plan).bash("ls"), Ask);
    usual().mode(Mode::Plan).check(Allow, &["ls", "git diff"]);
}

#[test]
fn b09_programs_of_the_project_need_an_exact_rule() {
    let setup = Setup::new("bash: { allow: ['*', './run.sh', 'git status'] }");
    setup.check(Ask, &["./git status", "bin/git", "/ws/bin/git status", "../x"]);
    setup.check(Allow, &["./run.sh", "git status", "ls"]);
    usual().check(Ask, &["/ws/W/bin/git status", "/usr/bin/git status"]);
}

#[test]
fn shell_builtins_that_evaluate_are_not_covered_by_a_star() {
    let setup = Setup::new("bash: { allow: ['*'] }");
    setup.check(
        Ask,
        &[
            "test -v 'a[$(id)]'",
            "printf -v 'a[$(id)]' x",
            "read 'a[$(id)]'",
            ". ./x",
            "source x",
            "eval ls",
            "trap ls EXIT",
            "alias ls=rm",
            "let 'a[$(id)]'",
            "mapfile -C id x",
            "coproc ls",
            "exec ls",
            "command ls",
            "set -x",
            "shopt -s extglob",
        ],
    );
    setup.check(Allow, &["printf %s x", "true", "pwd", "echo x"]);
}
