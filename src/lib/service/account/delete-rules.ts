/** Who may delete at the service: anybody, only a person who is asked at a terminal, nobody. The later, the stricter. */
export const deleteRules = ['on', 'ask', 'off'] as const;

export type DeleteRule = (typeof deleteRules)[number];
