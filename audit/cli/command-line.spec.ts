import { InvalidCommand, parseCommand } from './command-line.js';

const receipt = { name: 'receipt' as const, file: 'a', key: null, policy: null, round: null };
const verify = { name: 'verify' as const, asJson: false, heads: [] };

it.each<[string, ReturnType<typeof parseCommand>]>([
  ['verify', { ...verify }],
  ['verify --json', { ...verify, asJson: true }],
  ['verify --head a --head b.tlog-proof', { ...verify, heads: ['a', 'b.tlog-proof'] }],
  ['state', { name: 'state', asOf: null }],
  ['state --at 17', { name: 'state', asOf: 17 }],
  ['trial-balance --at 1', { name: 'trial-balance', asOf: 1 }],
  ['statement jackpot', { name: 'statement', account: 'jackpot' }],
  ['export a.jsonl', { name: 'export', file: 'a.jsonl', format: 'jsonl' }],
  ['export a.csv', { name: 'export', file: 'a.csv', format: 'csv' }],
  ['receipt a.tlog-proof', { ...receipt, file: 'a.tlog-proof' }],
  ['receipt a --key k --policy p --round r', { ...receipt, key: 'k', policy: 'p', round: 'r' }],
  ['fsck https://play.example --key k', { name: 'fsck', address: 'https://play.example', key: 'k' }],
  ['--help', { name: 'help' }],
  ['state --help', { name: 'help' }],
])('reads %s', (line, command) => {
  expect(parseCommand(line.split(' '))).toEqual(command);
});

it.each<[string, string]>([
  ['', 'No command was given.'],
  ['verfiy', 'Unknown command verfiy.'],
  ['toString', 'Unknown command toString.'],
  ['verify --at 1', 'verify has no option --at.'],
  ['verify now', 'verify takes no argument.'],
  ['state --at 0', '--at is the number of an event, from 1 on.'],
  ['state --at 1.5', '--at is the number of an event, from 1 on.'],
  ['statement', 'statement takes one account.'],
  ['export ledger.txt', 'export takes a file whose name ends in .jsonl or .csv.'],
  ['export a.csv b.csv', 'export takes one file.'],
  ['receipt', 'receipt takes one file.'],
  ['receipt a key', 'receipt takes one file.'],
  ['fsck play.example', 'fsck takes the address of a site, such as https://play.example.'],
  ['fsck https://play.example --policy p', 'fsck has no option --policy.'],
  ['--loud', '--loud'],
])('refuses "%s" with a sentence', (line, message) => {
  const parse = () => parseCommand(line === '' ? [] : line.split(' '));
  expect(parse).toThrow(InvalidCommand);
  expect(parse).toThrow(message);
});
