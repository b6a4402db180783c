/** The days that statistics may go back. */
export const statsDays = ['7', '30'] as const;
