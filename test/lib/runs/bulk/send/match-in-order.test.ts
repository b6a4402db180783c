import { describe, expect, test } from 'vitest';
import {
  matchInOrder,
  type TakenEmail,
} from '../../../../../src/lib/runs/bulk/send/match-in-order.ts';
import { pick, seeded } from '../../../../support/seeded.ts';

const mail = (to: string | string[], subject = 'S') => ({ to, subject });

describe('accepted emails, among those sent', () => {
  test.for<
    [
      string,
      TakenEmail[],
      { to: string | string[]; subject?: string; templateId?: string }[],
      (number | undefined)[],
    ]
  >([
    [
      'by their recipients',
      [mail(['b@x.example'])],
      [mail('a@x.example'), mail('B <b@X.example>')],
      [1],
    ],
    [
      'by their subjects',
      [mail(['a@x.example'], 'Two')],
      [mail('a@x.example', 'One'), mail('a@x.example', 'Two')],
      [1],
    ],
    [
      'whatever is done to the white space',
      [mail(['a@x.example'], 'A B')],
      [mail('a@x.example', ' A \t B ')],
      [0],
    ],
    [
      'without recipients that are suppressed',
      [mail(['b@x.example'])],
      [mail(['a@x.example', 'c@x.example']), mail(['a@x.example', 'b@x.example'])],
      [1],
    ],
    [
      'without any recipient, by their neighbours',
      [mail('a@x.example'), mail([]), mail('c@x.example')],
      [mail('a@x.example'), mail('b@x.example'), mail('c@x.example'), mail('d@x.example')],
      [0, 1, 2],
    ],
    [
      'by the subject of a template, which may be another',
      [mail('a@x.example', 'Its own')],
      [
        { to: 'b@x.example', templateId: 't' },
        { to: 'a@x.example', templateId: 't', subject: 'S' },
      ],
      [1],
    ],
    [
      'not where two look alike',
      [mail('a@x.example')],
      [mail('a@x.example'), mail('a@x.example')],
      [undefined],
    ],
    [
      'where both of two that look alike were taken',
      [mail('a@x.example'), mail('a@x.example')],
      [mail('a@x.example'), mail('b@x.example'), mail('a@x.example')],
      [0, 2],
    ],
    [
      'not where they are in no order',
      [mail('b@x.example'), mail('a@x.example')],
      [mail('a@x.example'), mail('b@x.example'), mail('c@x.example')],
      [undefined, undefined],
    ],
  ])('are found %s', ([, taken, sent, certain]) => {
    expect(matchInOrder(taken, sent).certain).toEqual(certain);
  });

  test('no matching order leaves all outcomes unknown', () => {
    const sent = [mail('a@x.example'), mail('b@x.example')];
    expect(matchInOrder([mail('z@x.example')], sent)).toEqual({
      certain: [undefined],
      uncertain: [0, 1],
      untaken: [],
    });
  });

  test('only what all possible orders have in common is certain', () => {
    const random = seeded(7);
    const letters = ['a@x.example', 'b@x.example', 'c@x.example'] as const;
    let decided = 0;
    for (let turn = 0; turn < 3000; turn++) {
      const sent = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
        const to =
          random() < 0.2 ? [pick(random, letters), pick(random, letters)] : pick(random, letters);
        return mail(to, pick(random, ['S', 'T']));
      });
      const kept = sent.filter(() => random() < 0.6);
      const taken = kept.map((email): TakenEmail => {
        if (random() < 0.1) return undefined;
        return random() < 0.1 ? { ...email, to: [] } : email;
      });
      const ways = waysToPlace(taken, sent);
      const { certain, uncertain, untaken } = matchInOrder(taken, sent);
      const used = sent.map((_, place) => ways.filter((way) => way.includes(place)).length);
      const fixed = taken.map((_, index) => {
        const places = new Set(ways.map((way) => way[index]));
        return places.size === 1 ? [...places][0] : undefined;
      });
      const never = used.flatMap((count, place) => (count === 0 ? [place] : []));
      expect({ taken, sent, certain, untaken }).toEqual({
        taken,
        sent,
        certain: fixed,
        untaken: never,
      });
      const open = sent
        .map((_, place) => place)
        .filter((place) => !never.includes(place) && !fixed.includes(place));
      expect(uncertain).toEqual(open);
      decided += certain.filter((place) => place !== undefined).length;
    }
    expect(decided).toBeGreaterThan(1000);
  });
});

/** All ways to give each taken email a place, in order, by brute force. */
function waysToPlace(
  taken: readonly TakenEmail[],
  sent: readonly { to: string | string[]; subject: string }[],
  from = 0,
): number[][] {
  const [first, ...others] = taken;
  if (taken.length === 0) return [[]];
  return sent.flatMap((email, place) => {
    const to = [first?.to ?? []].flat();
    const fits =
      first === undefined ||
      (first.subject === email.subject && to.every((one) => [email.to].flat().includes(one)));
    if (place < from || !fits) return [];
    return waysToPlace(others, sent, place + 1).map((way) => [place, ...way]);
  });
}
