/**
 * What a command does, from the weakest to the strongest: ask the service, change something there, mail somebody,
 * delete; `local` changes something on this machine. A stronger effect includes asking. Each is `true`, or the flags
 * that cause it.
 */
export const effects = ['reads', 'changes', 'mails', 'deletes', 'local'] as const;

export type CommandEffect = (typeof effects)[number];

/** Each effect, and what causes it: the command itself, or one of these flags or arguments. */
export type Effects = Readonly<Partial<Record<CommandEffect, true | readonly string[]>>>;
