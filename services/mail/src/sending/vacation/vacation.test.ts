import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseMessage } from '../../formats/mime/parse.ts'
import type { PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { plainMessage, type ReceiveGround, startReceiving } from '../../receiving/receive/testing/ground.ts'
import { changeVacation, type Vacation } from './operations.ts'

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

const DAY_MS = 86_400_000
const change = (address: PlantedAddress, vacation: Partial<Vacation>) =>
  ground.database.tx((tx) => changeVacation(tx, { addressId: address.id, change: vacation, now: ground.clock.now() }))

let people = 0
/** Somebody who is away, and how many replies a message brings. */
const person = async (vacation: Partial<Vacation> = {}) => {
  people += 1
  const email = `away${people}@ours.test`
  const address = await ground.address(email)
  await change(address, { isEnabled: true, textBody: 'I am away.', ...vacation })
  const replies = async (from = 'ann@example.org', fields: Record<string, string> = {}) => {
    const before = (await ground.queued()).length
    await ground.send({ from, to: email, message: plainMessage({ To: email, ...fields }) })
    return (await ground.queued()).slice(before)
  }
  return { email, address, replies }
}
const decoded = (text: string, type: string): string => {
  const bytes = Buffer.from(text)
  const find = (part: ReturnType<typeof parseMessage>['root']): typeof part | undefined =>
    part.type === type ? part : part.children.map(find).find((found) => found !== undefined)
  const part = find(parseMessage(bytes).root)
  if (!part) return ''
  const body = bytes.toString('latin1', part.bodyStart, part.end)
  return part.encoding === 'base64' ? Buffer.from(body, 'base64').toString() : body.trimEnd()
}

describe('the vacation response', () => {
  test('answers each sender once in a week, to the address that sent the message', async () => {
    const { email, address, replies } = await person({ subject: 'Out of office' })
    const [reply] = await replies()
    assert.deepEqual([reply?.source, reply?.returnPath, reply?.recipients], ['sieve', '', ['ann@example.org']])
    assert.match(reply?.text ?? '', new RegExp(`^From: <${email}>\r\n`))
    assert.match(reply?.text ?? '', /\r\nSubject: Out of office\r\n/)
    assert.match(reply?.text ?? '', /\r\nAuto-Submitted: auto-replied/)
    assert.match(reply?.text ?? '', /\r\nIn-Reply-To: <m\d+@example.org>\r\n/)
    assert.equal(decoded(reply?.text ?? '', 'text/plain'), 'I am away.')
    assert.equal((await replies()).length, 0)
    assert.equal((await replies('other@example.org')).length, 1)
    ground.clock.advance(7 * DAY_MS + 1_000)
    assert.equal((await replies()).length, 1)
    assert.equal((await ground.mails(address)).length, 4)
  })

  test('is another one when its words are', async () => {
    const { address, replies } = await person()
    assert.equal((await replies()).length, 1)
    await change(address, { textBody: 'I am away for longer.' })
    const [reply] = await replies()
    assert.equal(decoded(reply?.text ?? '', 'text/plain'), 'I am away for longer.')
  })

  test('goes out only while it is on, between its dates', async () => {
    const now = ground.clock.now().getTime()
    const { address, replies } = await person({ fromDate: new Date(now + DAY_MS), toDate: new Date(now + 2 * DAY_MS) })
    assert.equal((await replies()).length, 0)
    ground.clock.advance(DAY_MS)
    assert.equal((await replies()).length, 1)
    await change(address, { isEnabled: false })
    assert.equal((await replies('b@example.org')).length, 0)
    await change(address, { isEnabled: true })
    ground.clock.advance(DAY_MS)
    assert.equal((await replies('c@example.org')).length, 0)
    await change(address, { toDate: null })
    assert.equal((await replies('d@example.org')).length, 1)
  })

  test('has its HTML beside a text, and words of its own when it has none', async () => {
    const { address, replies } = await person({ textBody: null, htmlBody: '<p>I am <b>away</b>, grüße.</p>' })
    const [reply] = await replies()
    assert.match(reply?.text ?? '', /\r\nContent-Type: multipart\/alternative; boundary=/)
    assert.equal(decoded(reply?.text ?? '', 'text/html'), '<p>I am <b>away</b>, grüße.</p>')
    assert.match(decoded(reply?.text ?? '', 'text/plain'), /I am away, grüße\./)
    await change(address, { htmlBody: null })
    const [plain] = await replies()
    assert.match(decoded(plain?.text ?? '', 'text/plain'), /^I am away/)
  })

  test('answers no lists, machines, or mail to others', async () => {
    const { replies } = await person()
    const silent: [string, Record<string, string>][] = [
      ['', {}],
      ['mailer-daemon@example.org', {}],
      ['list-request@example.org', {}],
      ['l1@example.org', { 'List-Id': '<list.example.org>' }],
      ['l2@example.org', { Precedence: 'bulk' }],
      ['l3@example.org', { 'Auto-Submitted': 'auto-replied' }],
      ['l4@example.org', { To: 'undisclosed@example.org' }],
    ]
    for (const [from, fields] of silent)
      assert.equal((await replies(from, fields)).length, 0, JSON.stringify([from, fields]))
  })

  test('is the last of the scripts: those before it may answer, throw away, reject or stop', async () => {
    const scripts = [
      ['require "vacation"; vacation "From my own script.";', 1, 1],
      ['require "fileinto"; fileinto "Work";', 1, 1],
      ['discard;', 0, 0],
      ['require "reject"; reject "No.";', 0, 0],
      ['stop;', 0, 1],
      ['require "fileinto"; if true { fileinto "Work"; stop; }', 0, 1],
    ] as const
    for (const [source, answers, kept] of scripts) {
      const { address, replies } = await person()
      await ground.script(address, source, { origin: 'client' })
      const sent = await replies()
      assert.equal(sent.length, answers, source)
      assert.equal((await ground.mails(address)).length, kept, source)
      if (source.includes('my own')) assert.equal(decoded(sent[0]?.text ?? '', 'text/plain'), 'From my own script.')
      assert.ok(!(await ground.activity(address)).some(({ type }) => type === 'filter_error'), source)
    }
  })
})
