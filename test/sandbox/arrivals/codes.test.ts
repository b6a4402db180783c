import { describe, expect, test } from 'vitest';
import { codesIn } from '../../../src/sandbox/arrivals/codes.ts';
import { readableLines } from '../../../src/sandbox/arrivals/readable-lines.ts';

/** The codes of a message, `~` before those that no word names. */
function codes(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return codesIn(lines).map(({ code, named }) => (named ? code : `~${code}`));
}

function htmlCodes(html: string): string[] {
  return codes(readableLines(html).lines.join('\n'));
}

describe('codes that words name', () => {
  test.each([
    ['Your verification code is 483920.', '483920'],
    ['483920 is your Acme verification code', '483920'],
    ['Your code: 2024', '2024'],
    ['Code:\n\n    7391', '7391'],
    ['Enter 483920 to verify your email address.', '483920'],
    ['Use 48392 to sign in', '48392'],
    ['Your one-time password (OTP) for Acme is 5512.', '5512'],
    ['OTP: 99120045', '99120045'],
    ['Your PIN is 0042', '0042'],
    ['G-123456 is your Google verification code.', 'G-123456'],
    ['Your confirmation code: A1B2C3', 'A1B2C3'],
    ['Your confirmation code is QWERTZ.', 'QWERTZ'],
    ['Your code is\nKXRB-PLQT', 'KXRB-PLQT'],
    ['Verification code: 481 516', '481516'],
    ['Verification code: 481-516', '481-516'],
    ['Your code\n4 8 3 9 2 0\nIt is valid for 10 minutes.', '483920'],
    ['Ihr Bestätigungscode lautet 483920', '483920'],
    ['Dein Einmalpasswort: 48392', '48392'],
    ['Votre code de vérification est 483920.', '483920'],
    ['Tu código de verificación es 483920', '483920'],
    ['Il tuo codice è 483920', '483920'],
    ['您的验证码：483920', '483920'],
    ['認証コード: 483920', '483920'],
    ['Ваш код: 483920', '483920'],
    ['483920\nThis code expires in 10 minutes.', '483920'],
    ['Your code is 483920 and expires in 10 minutes. © 2026 Acme, 10115 Berlin', '483920'],
    ['Order 77123 needs a code. Your code is 483920.', '483920'],
    [
      'Please use the code below within 15 minutes:\n\n**483920**\n\nAcme, 94107 San Francisco',
      '483920',
    ],
    ['Your code expires in 1440 minutes.\n483920', '483920'],
    ['Your code is 483920. 10 minutes left.', '483920'],
    ['Code: 483920 (10 minutes)', '483920'],
    ['Pay INR 5000 with OTP 483920 at Acme.', '483920'],
    ['If you did not request this code, call 08001234.\nYour code: 483920', '483920'],
    ['Your customer code: 112233. Your PIN: 4839', '4839'],
    ['Your code: 483920\nThe previous code 111222 is no longer valid.', '483920'],
    ['ACME\nYour code\n483920\nTHANKS', '483920'],
    ['Your OTP\nABCDEF\nDo not share it', 'ABCDEF'],
    ['Your code is x7k9q2', 'x7k9q2'],
    ['Your code is #483920', '483920'],
    ['CODE=483920', '483920'],
    ['Your code is < 4839 >', '4839'],
    ['Code: 48 39 20', '483920'],
    ['Your code is 4839 2011', '48392011'],
    [
      'To finish, enter your verification code\nis 483920. It expires in\n10 minutes. Case 12345.',
      '483920',
    ],
    ['To sign in to Acme, use this verification code:\n483920 (valid for 10 minutes)', '483920'],
    ['Verification token: 483920', '483920'],
    ['Invite code: ABCD1234', 'ABCD1234'],
    ['Enter 483920 in the app.\nAcme GmbH, 10115 Berlin, HRB 123456, Tel. 030 1234567', '483920'],
    ['验证码为483920，5分钟内有效', '483920'],
    ['Doğrulama kodunuz: 483920', '483920'],
    ['Saisissez le code 483920. SIREN 123 456 789', '483920'],
  ])('%j', (text, code) => {
    expect(codes(text)[0]).toBe(code);
    expect(codes(text).filter((one) => !one.startsWith('~'))).toEqual([code]);
  });
});

describe('the only number that may be a code, after other numbers', () => {
  test.each([
    'Your code is valid for 1440 minutes: 483920',
    'Your code, valid until 12:30, is 483920.',
    'Use 483920 as your code for the card ending in 9876',
    '483920 is the OTP for INR 7890 on card XX9876',
    'Your code for project 12345: 483920',
    '【Acme】483920 是您的验证码',
  ])('%j', (text) => {
    expect(codes(text)).toEqual(['~483920']);
  });
});

describe('numbers that are no codes', () => {
  test.each([
    '© 2026 Acme Ltd. All rights reserved.',
    'Total: $1234.50, or 1234 EUR, or 1,234.00',
    'Order #123456 and order no. 88123',
    'Invoice 2026-001234 of 27 November 2026 at 10:15',
    'Call +1 555 123 4567 or (555) 123-4567 or 0800 123456',
    'Acme GmbH, Hauptstraße 12, 10115 Berlin',
    'https://example.org/verify?code=483920',
    'Write to 483920@example.org',
    'More than 20000 people, 1024 MB, 5000 points',
    'Your code is VALID for ten minutes',
    'HTTP, JSON and UTF8 are words; so is COVID19 here',
    'Version 10.4.2011',
    'Your ZIP code is 94107',
    'Use promo code SAVE20 today',
    'Error code 50034',
    'Use code SAVE20 at checkout',
    'Use the code SPRING25 to get 25% off your first order',
    'Promo code\nSAVE2026',
    'Votre code postal : 75011',
    'Code promo : AUTOMNE',
    'Acme, 1600 Amphitheatre Parkway, Mountain View, CA 94043, or Suite 1200, 94107',
    'HRB 123456, PLZ 10115, BLZ 10070024, registered in England 01234567',
    'It costs 1299 kr, Rs 1299 or INR 1299',
    'Join 10000+ teams and 1200 developers',
    'Order number:\n123456\nAmount due\n12500\nDue date\n20261231',
    'VERIFY CODE HERE. THE CODE IS VALID.',
    'Open example.org/verify?code=483920',
    'IBAN DE89 3704 0044 0532 0130 00, card 4111 1111 1111 1111',
    'Text STOP to 12345',
    'Never tell anybody your code. 10115 Berlin',
  ])('%j', (text) => {
    expect(codes(text)).toEqual([]);
  });
});

test('a number without a word is a likely code', () => {
  expect(codes('Hello Ana,\n\n483920\n\nAcme')).toEqual(['~483920']);
  expect(codes('Hello Ana, 483920')).toEqual(['~483920']);
  expect(codes('K7QX92')).toEqual(['~K7QX92']);
});

test('each of several codes is one', () => {
  expect(codes('Your codes are 483920 and 112233')).toEqual(['483920', '112233']);
  expect(codes('Use PIN 4839 or 1122')).toEqual(['4839', '1122']);
});

test('a word that introduces one outdoes a word that is near another', () => {
  expect(codes('Your code: 483920. The code of Ana was 112233.')).toEqual(['483920', '~112233']);
});

test('a code that is written twice is one code', () => {
  expect(codes('483920 is your code\nEnter 483920')).toEqual(['483920']);
  expect(codes('481 516 is your code\nCode: 481516')).toEqual(['481516']);
});

describe('in HTML', () => {
  test('each block is a line, and styles, scripts and addresses are not read', () => {
    const html = `<html><head><title>Code 111111</title><style>.code123456 { color: #483921; width: 600px }</style></head>
      <body style="color:#123456"><p>Your code:</p><div><span style="letter-spacing:4px">483<b>920</b></span></div>
      <a href="https://example.org/v?code=999999">Verify</a><script>var code = 222222</script>
      <p>Acme, 12345 Springfield &copy; 2026</p></body></html>`;
    expect(htmlCodes(html)).toEqual(['483920']);
  });

  test('digits in boxes are one code', () => {
    const cells = [...'483920'].map((digit) => `<td>${digit}</td>`).join('\n');
    expect(htmlCodes(`<p>Enter this code:</p><table><tr>${cells}</tr></table>`)).toEqual([
      '483920',
    ]);
  });

  test('invisible characters and entities do not matter', () => {
    expect(htmlCodes('<p>Code:&nbsp;<b>48&#8203;3920</b></p>')).toEqual(['483920']);
  });
});

test('takes linear time', () => {
  const long = 'code '.repeat(20_000) + '1 '.repeat(50_000) + 'A'.repeat(100_000);
  expect(codes(long)).toEqual([]);
});
