/** What the panel's words need of `vscode`, outside of it: texts as they are. */
export const l10n = {
  t: (text: string, ...values: (string | number)[]): string => text.replace(/\{(\d)\}/g, (all, index: string) => String(values[Number(index)] ?? all)),
};
