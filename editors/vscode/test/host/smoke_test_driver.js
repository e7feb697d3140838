// Runs in the page before the workbench starts. VS Code takes tests in its address only with its smoke test driver,
// for which code-server has no switch; so it is switched on in the workbench's own settings.
document.addEventListener('readystatechange', () => {
  const meta = document.getElementById('vscode-workbench-web-configuration');
  if (document.readyState !== 'interactive' || !meta) return;
  const settings = JSON.parse(meta.getAttribute('data-settings') ?? '{}');
  settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
  meta.setAttribute('data-settings', JSON.stringify(settings));
});
