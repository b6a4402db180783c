/** The numbers of days that statistics can cover. */
export const statsDays = ['7', '30'] as const;
