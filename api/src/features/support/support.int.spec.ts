import type { AdminTicket, SupportTicket } from '../../../../contracts/http/support.js';
import { ticketStream } from '../../../../contracts/streams.js';
import { versionOf } from '../../../../contracts/versions.js';
import { type ApiResponse, errorOf } from '../../../test/visitor.js';
import { nextMessage, type Person, readAfter, withAliceAndBob } from '../../../test/whole-application.js';

const MINE = '/api/support/tickets';
const ALL = '/api/admin/support/tickets';

const { application, admin, alice, bob } = withAliceAndBob();

const keyed = (key?: string): Record<string, string> => (key ? { 'idempotency-key': key } : {});

const open = ({ id, visitor }: Person, subject: unknown, message: unknown, key?: string) =>
  visitor.post<{ id: string; error?: string }>(MINE, { gamerId: id, subject, message }, keyed(key));

const update = (ticketId: string, body: object, key?: string) =>
  admin.visitor.put(`${ALL}/${ticketId}`, body, keyed(key));

const eventsOf = async (ticketId: string): Promise<string[]> =>
  (await application.eventsOf(ticketStream(ticketId))).map(({ event }) => event.type);

it('lists a gamer’s own tickets, and all tickets for the admin, newest first', async () => {
  const alices = await open(alice, '  My win ', ' Where is it? ');
  const bobs = await open(bob, 'x'.repeat(100), 'y'.repeat(1_000));
  expect([alices.status, bobs.status]).toEqual([201, 201]);
  const ticket = {
    id: alices.body.id,
    subject: 'My win',
    message: 'Where is it?',
    status: 'open',
    createdAt: expect.any(Number),
    resolvedAt: null,
    adminNotes: null,
    messages: [{ from: 'gamer', text: 'Where is it?', atMs: expect.any(Number) }],
  };
  expect(await readAfter(alice.visitor, bobs, MINE)).toEqual([ticket]);
  const all = await readAfter<AdminTicket[]>(admin.visitor, bobs, ALL);
  expect(all).toHaveLength(2);
  expect(all).toContainEqual({ ...ticket, gamerId: alice.id, gamerTag: 'alice' });
  expect(all[0]?.createdAt).toBeGreaterThanOrEqual(all[1]?.createdAt as number);
  expect(await readAfter(admin.visitor, bobs, `${ALL}?page=3&pageSize=1`)).toEqual([]);
  const { body: ofAlice } = await admin.visitor.get<AdminTicket[]>(`${ALL}?gamerId=${alice.id}`);
  expect(ofAlice.map(({ gamerTag }) => gamerTag)).toEqual(['alice']);
});

it.each([
  ['', 'b', 'Please fill in both subject and message'],
  ['a', '  ', 'Please fill in both subject and message'],
  [undefined, 'b', 'Please fill in both subject and message'],
  ['a', 7, 'Please fill in both subject and message'],
  ['x'.repeat(101), 'b', 'Subject must be 100 characters or less'],
  ['a', 'x'.repeat(1_001), 'Message must be 1000 characters or less'],
])('refuses a ticket with %j and %j', async (subject, message, error) => {
  expect(await open(alice, subject, message)).toMatchObject({ status: 400, body: { error } });
});

it('lets the admin close, answer, reopen and list a ticket, and the gamer read the answers', async () => {
  const { body } = await open(alice, 'Deposit', 'It is missing');
  const mine = async (written: ApiResponse<unknown>) =>
    (await readAfter<SupportTicket[]>(alice.visitor, written, MINE)).find(({ id }) => id === body.id);
  const listed = async (written: ApiResponse<unknown>, status: string) =>
    (await readAfter<AdminTicket[]>(admin.visitor, written, `${ALL}?status=${status}`)).map(({ id }) => id);
  const closed = await update(body.id, { status: 'closed', adminNotes: '  Credited now ' });
  expect(closed.status).toBe(200);
  expect(await listed(closed, 'closed')).toContain(body.id);
  expect(await listed(closed, 'open')).not.toContain(body.id);
  const resolvedAt = expect.any(Number);
  expect(await mine(closed)).toMatchObject({ status: 'closed', adminNotes: 'Credited now', resolvedAt });
  const noted = await update(body.id, { status: 'closed', adminNotes: 'Credited with a gift' });
  expect(await mine(noted)).toMatchObject({ status: 'closed', adminNotes: 'Credited with a gift' });
  const reopened = await update(body.id, { status: 'open' });
  expect(await mine(reopened)).toMatchObject({ status: 'open', adminNotes: 'Credited with a gift', resolvedAt: null });
  expect((await listed(reopened, 'open'))[0]).toBe(body.id);
  expect(await listed(reopened, 'closed')).not.toContain(body.id);
  const nothing = await update(body.id, { status: 'open', adminNotes: '' });
  expect(nothing.status).toBe(200);
  expect(await eventsOf(body.id)).toEqual(['TicketOpened', 'TicketClosed', 'TicketNoted', 'TicketReopened']);
});

it('is a conversation: the gamer writes again, which opens a closed ticket, and every answer is kept', async () => {
  const { body } = await open(alice, 'Payment', 'I paid');
  const version = versionOf('open', 1);
  const add = (person: Person, message: string, id = body.id) =>
    person.visitor.post(`${MINE}/${id}/messages`, { message });
  await update(body.id, { status: 'closed', adminNotes: 'It came' });
  const continued = await add(alice, ' Not to me ');
  expect(continued.status).toBe(200);
  const stale = { status: 'closed', adminNotes: 'Really?' };
  const refused = await admin.visitor.put(`${ALL}/${body.id}`, stale, { 'if-match': version });
  expect(refused).toMatchObject({ status: 409, body: { code: 'changed-meanwhile' } });
  const answered = await update(body.id, { status: 'open', adminNotes: 'It came' });
  const [mine] = await readAfter<SupportTicket[]>(alice.visitor, answered, MINE);
  expect(mine).toMatchObject({ status: 'open', message: 'I paid', adminNotes: 'It came', resolvedAt: null });
  const said = mine?.messages.map(({ from, text }) => `${from}: ${text}`);
  expect(said).toEqual(['gamer: I paid', 'support: It came', 'gamer: Not to me', 'support: It came']);
  expect(await add(bob, 'Mine too')).toMatchObject({ status: 404, body: { error: 'Ticket not found' } });
  expect(await add(alice, 'x', 'nothing')).toMatchObject({ status: 404 });
  expect((await add(alice, ' ')).body).toMatchObject({ code: 'ticket-message-required' });
  expect((await add(alice, 'x'.repeat(1_001))).body).toMatchObject({ code: 'ticket-message-too-long' });
});

it('refuses an unknown status in a query or an update, an update without a ticket, and too long notes', async () => {
  for (const query of ['status=', 'status=pending', 'status=open&status=closed'])
    expect(await errorOf(admin.visitor.get(`${ALL}?${query}`))).toEqual([400, 'status must be open or closed']);
  const { body } = await open(bob, 'Help', 'Please');
  for (const id of ['nothing', '0'.repeat(20), '%24all', `${body.id}x`])
    expect(await update(id, { status: 'closed' })).toMatchObject({ status: 404, body: { error: 'Ticket not found' } });
  for (const status of ['pending', '', undefined, 1])
    expect(await errorOf(update(body.id, { status }))).toEqual([400, 'The status must be open or closed']);
  expect((await update(body.id, { status: 'closed', adminNotes: 'x'.repeat(1_001) })).body).toEqual({
    error: 'Notes must be 1000 characters or less',
    code: 'notes-too-long',
  });
  expect(await eventsOf(body.id)).toEqual(['TicketOpened']);
});

it('executes a repeated command once', async () => {
  const first = await open(bob, 'Twice', 'The same', 'ticket-key');
  const again = await open(bob, 'Twice', 'The same', 'ticket-key');
  expect(again.body).toEqual(first.body);
  expect((await open(bob, 'Twice', 'Another', 'ticket-key')).status).toBe(409);
  await update(first.body.id, { status: 'closed' }, 'close-key');
  await update(first.body.id, { status: 'open' }, 'open-key');
  expect((await update(first.body.id, { status: 'closed', adminNotes: 'why' }, 'close-key')).status).toBe(409);
  await update(first.body.id, { status: 'closed' }, 'close-key');
  expect(await eventsOf(first.body.id)).toEqual(['TicketOpened', 'TicketClosed', 'TicketReopened']);
});

it('notifies the admin and the ticket’s gamer on every node, and no other gamer', async () => {
  const node = await application.startAnotherNode();
  const sockets = {
    admin: await application.socket(admin.visitor, node.url),
    alice: await application.socket(alice.visitor, node.url),
    bob: await application.socket(bob.visitor, node.url),
    stranger: await application.socket(undefined, node.url),
  };
  const received: string[] = [];
  for (const [who, socket] of Object.entries(sockets)) {
    socket.onAny((name: string) => /ticket/.test(name) && received.push(`${who} ${name}`));
  }
  const newTicket = nextMessage(sockets.admin, 'admin:new_ticket');
  const opened = await open(alice, 'Live', 'Are you there?');
  expect(await newTicket).toEqual({ ticketId: opened.body.id, position: opened.headers.get('x-position') });

  const updates = Promise.all([
    nextMessage(sockets.admin, 'admin:ticket_updated'),
    nextMessage(sockets.alice, 'support:ticket_updated'),
  ]);
  const closed = await update(opened.body.id, { status: 'closed' });
  const message = { ticketId: opened.body.id, position: closed.headers.get('x-position') };
  expect(await updates).toEqual([message, message]);
  const continued = nextMessage(sockets.admin, 'admin:ticket_updated');
  await alice.visitor.post(`${MINE}/${opened.body.id}/messages`, { message: 'Still here' });
  await continued;

  // A message to all sockets arrives after those under test.
  const all = Promise.all([sockets.bob, sockets.stranger].map((socket) => nextMessage(socket, 'community:new_post')));
  await bob.visitor.post('/api/community/posts', { gamerId: bob.id, message: 'Hello' });
  await all;
  expect(received.sort()).toEqual([
    'admin admin:new_ticket',
    ...['admin admin:ticket_updated', 'admin admin:ticket_updated'],
    ...['alice support:ticket_updated', 'alice support:ticket_updated'],
  ]);
});
