import { createWorld, type World } from '../../support/run.ts';

/** A world whose sandbox has a segment, and the segment's id. */
export async function withSegmentOf(
  where: readonly string[],
  flags: readonly string[] = [],
): Promise<{ readonly world: World; readonly id: string }> {
  const world = createWorld({ NO_COLOR: '1' });
  const { stdout } = await world.run([
    ...['segment', 'create', '--name', 'Some', '--book', 'Customers', '--sandbox', ...flags],
    ...where.flatMap((condition) => ['--where', condition]),
  ]);
  return { world, id: stdout.trim() };
}
