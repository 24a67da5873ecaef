import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Author, type KnownContact, rankPeople } from './rank.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000)
const contact = (email: string, uses: number, days: number | null, name: string | null = null): KnownContact => ({
  id: `id of ${email}`,
  email,
  name,
  uses,
  last_used_at: days === null ? null : daysAgo(days),
})
const author = (email: string, days: number, name: string | null = null): Author => ({
  email,
  name,
  receivedAt: daysAgo(days),
})
const rank = (contacts: readonly KnownContact[], authors: readonly Author[], search = '') =>
  rankPeople({ contacts, authors, search, own: 'me@ours.test', now })
const emails = (...input: Parameters<typeof rank>) => rank(...input).map(({ email }) => email)

test('somebody who wrote and was written to is one person, with the name that is known', () => {
  assert.deepEqual(rank([contact('ann@x.org', 1, 1)], [author('Ann@X.org', 2, 'Ann')]), [
    { object: 'suggestion', email: 'ann@x.org', name: 'Ann', contact_id: 'id of ann@x.org' },
  ])
  assert.deepEqual(rank([], [author('bob@x.org', 2, 'bob@x.org')]), [
    { object: 'suggestion', email: 'bob@x.org', name: null, contact_id: null },
  ])
})

test('whom one writes to comes before who writes, and lately before long ago', () => {
  assert.deepEqual(
    emails(
      [contact('old@x.org', 4, 720), contact('new@x.org', 2, 1)],
      [author('two@x.org', 1), author('two@x.org', 2)],
    ),
    ['new@x.org', 'two@x.org', 'old@x.org'],
  )
})

test('who begins with what was typed comes first', () => {
  const people = [contact('bo@x.org', 9, 1, 'Jo Anders'), contact('anna@x.org', 1, 1), contact('x@banana.org', 99, 1)]
  assert.deepEqual(emails(people, [], 'an'), ['bo@x.org', 'anna@x.org', 'x@banana.org'])
})

test('one’s own address and addresses that nobody reads are not offered for having written', () => {
  const written = [
    'me@ours.test',
    'no-reply@x.org',
    'noreply@x.org',
    'MAILER-DAEMON@x.org',
    'bounces+1@x.org',
    'nobody',
  ]
  assert.deepEqual(
    emails(
      [],
      [...written, 'norepl@x.org'].map((email) => author(email, 1)),
    ),
    ['norepl@x.org'],
  )
  assert.deepEqual(emails([contact('no-reply@x.org', 1, 1)], []), ['no-reply@x.org'])
})
