/** Events whose target is known, as the framework hands them over. */

export type TargetedKeyboardEvent<Target extends EventTarget> = KeyboardEvent & { readonly currentTarget: Target };
export type TargetedClipboardEvent<Target extends EventTarget> = ClipboardEvent & { readonly currentTarget: Target };
