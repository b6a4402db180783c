/** Properties in the form people type: `plan=pro`. */
export function propertyWords(
  properties: Readonly<Record<string, unknown>> | null | undefined,
): readonly string[] {
  return Object.entries(properties ?? {}).map(([name, value]) => {
    return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}
