import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { atTerminal } from './at-terminal.ts';
import { createPerson } from './person.ts';
import { createWorld } from './run.ts';

const { run } = createWorld();

test('a question that nobody expects fails, with what is on the screen', async () => {
  await expect(atTerminal(run, 'email send --sandbox')).rejects.toThrow(
    /^This is asked, which nobody expects:\nAccount: the sandbox\n\? To$/,
  );
  await expect(atTerminal(run, 'email send --sandbox', [['? Subject', 'Hi']])).rejects.toThrow(
    /^This is asked, which nobody expects, but \? Subject:\n[\s\S]*\? To$/,
  );
});

test('a question that never comes fails', async () => {
  const words = 'config get output';
  await expect(atTerminal(run, words, [['? To', 'x']])).rejects.toThrow(/^It ended without \? To/);
});

test('what a step expects fails the test, and ends the program', async () => {
  const fails = () => expect('this').toBe('that');
  await expect(atTerminal(run, 'email send --sandbox', [['? To', fails]])).rejects.toThrow(/that/);
});

test('keys that nothing reads fail', async () => {
  const person = createPerson([['Waiting', 'y']]);
  const interrupted = new Promise((resolve) => person.begins(resolve));
  person.takes('stderr', new PassThrough())?.('Waiting');
  await interrupted;
  await expect(person.ended(130)).rejects.toThrow(/^"y" is typed, but nothing is asked:\nWaiting$/);
});

test('a terminal that is left without its cursor fails', async () => {
  const person = createPerson([]);
  person.takes('stderr', new PassThrough())?.('\x1b[?25lHi');
  await expect(person.ended(0)).rejects.toThrow(/without a cursor; exit code 0:\nHi$/);
});
