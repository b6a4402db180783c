/** The titles of columns of a run's results, which `--fields` takes besides the fields of its JSON. */
export const runTitles: readonly string[] = [
  ...['id', 'problem', 'message', 'status', 'when', 'detail', 'template', 'scheduled'],
];
