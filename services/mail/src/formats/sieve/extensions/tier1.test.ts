// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actionsOf, assertTest, problemOf, runAll, withAll } from '../testing/run.ts'

const html = `Subject: a
Content-Type: multipart/mixed; boundary=b

pre
--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>Gr=C3=BC=C3=9Fe</p><script>secret()</script>
--b
Content-Type: message/rfc822

Subject: inner

Inner text
--b--
`

describe('variables (RFC 5229)', () => {
  const shows = async (source: string, expected: string) =>
    assert.deepEqual(
      (await actionsOf(`${source} fileinto "\${v}";`)).map((action) => action.kind === 'fileinto' && action.mailbox),
      [expected],
    )
  test('are replaced where they are written right, and empty where unknown', async () => {
    await shows('set "A" "x"; set "v" "&${a}&${nope}&${a&${1}";', '&x&&${a&')
  })
  test('modifiers go by their rank, whatever their order', async () => {
    await shows('set :upperfirst :lower "v" "juMBlEd lETteRS";', 'Jumbled letters')
    await shows('set :quotewildcard "v" "Rock*";', 'Rock\\*')
    await shows('set :length "v" "Grüße😀";', '6')
    assert.match(problemOf(withAll('set :lower :upper "a" "b";')), /can't be combined/)
    assert.match(problemOf(withAll('set "a.b" "b";')), /no variable namespace "a"/)
    assert.match(problemOf(withAll('set "1" "b";')), /isn't a valid variable name/)
  })
  test('matches sets the match variables, stars taking as little as they can', async () => {
    await shows(
      'if header :matches "subject" "*l* ?o*" { set "v" "${0}|${1}|${2}|${3}|${4}"; }',
      'Hello World|He|lo|W|rld',
    )
  })
  test('a match that fails leaves them as they were', async () => {
    await shows('if header :matches "subject" "*o*" {} if header :matches "subject" "x*" {} set "v" "${1}";', 'Hell')
  })
  test('string counts what is not empty', async () => {
    await assertTest('string :count "eq" :comparator "i;ascii-numeric" ["a", "", "${x}"] "1"')
    await assertTest('string :is "${x}" ""')
  })
  test('are cut at their limit', async () => {
    await shows(`set "a" "${'x'.repeat(5000)}"; set :length "v" "\${a}";`, '4096')
  })
})

describe('encoded-character (RFC 5228 §2.4.2.4)', () => {
  test('reads hex and unicode, and leaves the rest', async () => {
    await assertTest('string "$${hex:24 24}" "$$$"')
    await assertTest('string "${hex:c3}${hex:BC}${unicode:1F600}" "ü😀"')
    await assertTest('string "${hex:4${hex:30}}" "${hex: 24}{hex:40}"')
    await assertTest('string "${unicode:24}{hex:40}" "${hex: 24}{hex:40}"')
    await assertTest('string "${hex:}${hex: 4G}${unicode:q}" "${hex:}${hex: 4G}${unicode:q}"')
    assert.match(problemOf('require "encoded-character"; redirect "${unicode:110000}";'), /isn't a character/)
    assert.match(problemOf('require "encoded-character"; redirect "${unicode:D800}";'), /isn't a character/)
  })
})

describe('relational (RFC 5231) and i;ascii-numeric (RFC 4790)', () => {
  test('value and count', async () => {
    await assertTest('header :value "gt" :comparator "i;ascii-numeric" "x-count" "11"')
    await assertTest('header :value "gt" :comparator "i;ascii-numeric" "x-count" "12"', false)
    await assertTest('header :count "eq" :comparator "i;ascii-numeric" "x-count" "2"')
    await assertTest('address :count "ge" :comparator "i;ascii-numeric" "to" "3"')
    await assertTest('header :value "eq" :comparator "i;ascii-numeric" "subject" "other words"')
    await assertTest('header :value "lt" "subject" "iello"')
    assert.match(problemOf(withAll('if header :value "xx" "a" "b" {}')), /one of gt, ge/)
    assert.match(
      problemOf(withAll('if header :contains :comparator "i;ascii-numeric" "a" "b" {}')),
      /can't be used with ":contains"/,
    )
  })
})

describe('imap4flags (RFC 5232)', () => {
  const flags = async (source: string) =>
    (await actionsOf(source)).map((action) => ('flags' in action ? action.flags : null))
  test('the internal variable gives the flags, :flags takes its place', async () => {
    assert.deepEqual(await flags('addflag "\\\\seen Work"; addflag ["work", "\\\\Nope", "b"]; removeflag "B"; keep;'), [
      ['\\Seen', 'Work'],
    ])
    assert.deepEqual(await flags('setflag "a"; fileinto :flags ["x y"] "m";'), [['x', 'y']])
    assert.deepEqual(await flags('setflag "a";'), [['a']])
  })
  test('of two copies in one mailbox that are one, the last list of flags wins, also an empty one (§5)', async () => {
    assert.deepEqual(await flags('setflag "a"; keep; removeflag "a"; keep;'), [[]])
    assert.deepEqual(await flags('fileinto :flags "a" "m"; setflag ""; fileinto "m";'), [[]])
    assert.deepEqual(await flags('setflag "a"; fileinto "m"; setflag "b"; fileinto "m";'), [['b']])
    assert.deepEqual(await flags('fileinto :flags "a" "m"; fileinto "m";'), [['a']])
  })
  test('variables can hold flags', async () => {
    assert.deepEqual(await flags('setflag "v" ["a", "B"]; addflag "v" "b c"; keep :flags "${v}";'), [['a', 'B', 'c']])
    assert.match(problemOf('require "imap4flags"; setflag "v" "a";'), /require the extension "variables"/)
  })
  test('hasflag compares each flag', async () => {
    await assertTest('hasflag :is "b A"', true, {}, 'setflag ["A", "B"];')
    await assertTest('hasflag ["c"]', false, {}, 'setflag ["A", "B"];')
    await assertTest('hasflag :count "eq" :comparator "i;ascii-numeric" "2"', true, {}, 'setflag ["A", "B"];')
    await assertTest('hasflag :contains "v" "ork"', true, {}, 'setflag "v" "work";')
  })
})

describe('envelope and subaddress (RFC 5228 §5.4, RFC 5233)', () => {
  test('parts of the envelope', async () => {
    await assertTest('envelope "to" "bob+lists@example.com"')
    await assertTest('envelope :detail "to" "lists"')
    await assertTest('envelope :user "to" "bob"')
    await assertTest('address :detail :is "to" ""', false)
    await assertTest('envelope :domain "from" ""', true, { envelope: { from: '', to: 'a@b.example' } })
    assert.match(problemOf(withAll('if envelope "subject" "a" {}')), /isn't an envelope part/)
  })
  test('an unknown part is an error, also when its name is made while the script runs', async () => {
    const ask = (part: string) => runAll(`set "part" "${part}"; if envelope :contains "\${part}" "" { discard; }`)
    assert.equal((await ask('From')).error, null)
    assert.match((await ask('subject')).error?.message ?? '', /"subject" isn't an envelope part/)
  })
})

describe('vacation (RFC 5230, RFC 6131)', () => {
  test('is an action with all that it says, and keeps', async () => {
    const [vacation, keep] = await actionsOf(
      'vacation :days 3 :subject "Away" :from "bob@example.com" :addresses ["b@example.com"] :handle "h" "Gone";',
    )
    assert.deepEqual(vacation, {
      kind: 'vacation',
      reason: 'Gone',
      seconds: 259_200,
      subject: 'Away',
      from: 'bob@example.com',
      addresses: ['b@example.com'],
      mime: false,
      handle: 'h',
      fcc: null,
    })
    assert.equal(keep?.kind, 'keep')
  })
  test('another reply has another handle; days and addresses do not count', async () => {
    const handle = async (source: string) =>
      (await actionsOf(source)).map((action) => action.kind === 'vacation' && action.handle)[0]
    assert.equal(await handle('vacation :days 1 "a";'), await handle('vacation :days 2 :addresses "x@y.example" "a";'))
    assert.notEqual(await handle('vacation "a";'), await handle('vacation "b";'))
  })
  test('a second one, or one with reject, is a runtime error', async () => {
    for (const source of ['vacation "a"; vacation "b";', 'vacation "a"; reject "b";', 'reject "b"; vacation "a";'])
      assert.notEqual((await runAll(source)).error, null, source)
  })
  test('seconds stay within the limits of the site', async () => {
    const [action] = await actionsOf('vacation :seconds 10 "a";')
    assert.ok(action?.kind === 'vacation' && action.seconds === 86_400)
    assert.match(problemOf(withAll('vacation :days 1 :seconds 1 "a";')), /can't be combined/)
    assert.match(problemOf(withAll('vacation :from "nobody" "a";')), /isn't an address you can reply from/)
  })
})

describe('reject and ereject (RFC 5429)', () => {
  test('refuse, and cannot go with delivery', async () => {
    assert.deepEqual(await actionsOf('reject "no";'), [{ kind: 'reject', reason: 'no', quietly: false }])
    assert.deepEqual(await actionsOf('ereject "no";'), [{ kind: 'reject', reason: 'no', quietly: true }])
    for (const source of ['reject "a"; keep;', 'fileinto "a"; ereject "a";', 'reject "a"; ereject "b";'])
      assert.notEqual((await runAll(source)).error, null, source)
  })
})

describe('body (RFC 5173)', () => {
  test('raw, content and text', async () => {
    await assertTest('body :raw :contains "Gr=C3"', true, { mail: html })
    await assertTest('body :contains "Grüße"', true, { mail: html })
    await assertTest('body :text :contains "secret"', false, { mail: html })
    await assertTest('body :content "text" :contains "<p>Grüße"', true, { mail: html })
    await assertTest('body :content "message/rfc822" :contains "Subject: inner"', true, { mail: html })
    await assertTest('body :content "multipart" :contains "pre"', true, { mail: html })
    await assertTest('body :content "image" :contains ""', false, { mail: html })
    for (const type of ['/html', 'text/', 'text/html/x'])
      await assertTest(`body :content "${type}" :contains ""`, false, { mail: html })
  })
  test('sets no match variables', async () => {
    await assertTest('string "${1}" ""', true, {}, 'if body :matches "*body*" {}')
  })
})

describe('date and index (RFC 5260)', () => {
  test('parts of a date, in its own zone or another', async () => {
    await assertTest('date :zone "-0500" "date" "hour" "09"')
    await assertTest('date :originalzone "date" "zone" "-0500"')
    await assertTest('date "date" "iso8601" "2003-04-01T14:06:31+00:00"')
    await assertTest('date :originalzone "date" "std11" "Tue, 01 Apr 2003 09:06:31 -0500"')
    await assertTest('date "date" "weekday" "2"')
    await assertTest('date "date" "julian" "52730"')
    await assertTest('date "received" "date" "2003-03-31"')
    await assertTest('date "subject" "year" "2003"', false)
    await assertTest('currentdate :value "ge" "date" "2026-11-15"')
    await assertTest('currentdate :zone "+1400" "date" "2026-11-16"')
    assert.match(problemOf(withAll('if date "date" "moon" "full" {}')), /isn't a date part/)
    assert.match(problemOf(withAll('if date :zone "CET" "date" "year" "1" {}')), /isn't a time zone/)
  })
  test('index picks one field from the top, or with :last from the bottom', async () => {
    await assertTest('header :index 1 "x-count" "5"')
    await assertTest('header :index 1 "x-count" "12"', false)
    await assertTest('header :last :index 1 "x-count" "12"')
    await assertTest('header :index 3 "x-count" ["5", "12"]', false)
    assert.match(problemOf(withAll('if header :last "a" "b" {}')), /":last" requires ":index"/)
  })
})

describe('copy and mailbox (RFC 3894, RFC 5490)', () => {
  test('a copy does not end the implicit keep', async () => {
    const actions = await actionsOf('fileinto :copy :create "a"; redirect :copy "a@b.example";')
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['fileinto', 'redirect', 'keep'],
    )
    assert.ok(actions[0]?.kind === 'fileinto' && actions[0].create)
  })
  test('mailboxexists needs all of them', async () => {
    const mailboxes = { exists: (name: string) => name !== 'c' }
    await assertTest('mailboxexists ["a", "b"]', true, { mailboxes })
    await assertTest('mailboxexists ["a", "c"]', false, { mailboxes })
    await assertTest('mailboxexists "a"', false)
  })
})
