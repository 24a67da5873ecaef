// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actionsOf, assertTest, problemOf, withAll } from '../testing/run.ts'

const mail = `Subject: outer
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

First text
--b
Content-Type: application/octet-stream; name*=utf-8''%C3%BCber.exe
Content-Disposition: attachment; filename="virus.exe"

MZ
--b
Content-Type: message/rfc822

From: inner@example.org
Content-Type: text/html

<b>Inner</b> text
--b--
`

const filed = async (source: string): Promise<string[]> =>
  (await actionsOf(source, { mail })).map((action) => (action.kind === 'fileinto' ? action.mailbox : action.kind))

describe('foreverypart and mime (RFC 5703 §3, §4)', () => {
  test('goes through all parts from the top down', async () => {
    const source =
      'set "v" ""; foreverypart { if header :mime :contenttype :matches "Content-Type" "*/*" { set "v" "${v} ${2}"; } } fileinto "${v}";'
    assert.deepEqual(await filed(source), [' mixed plain octet-stream rfc822 html'])
  })
  test('an inner loop stays below its part, and break leaves the loop that it names', async () => {
    const inner =
      'foreverypart :name "a" { if header :mime :type "Content-Type" "message" { foreverypart { if header :mime :subtype "Content-Type" "html" { fileinto "x"; break :name "a"; } } } fileinto "y"; }'
    assert.deepEqual(await filed(`${inner} fileinto "z";`), ['y', 'x', 'z'])
    assert.match(problemOf(withAll('break;')), /only be used inside/)
    assert.match(problemOf(withAll('foreverypart { break :name "x"; }')), /no enclosing "foreverypart" named/)
  })
  test('anychild looks at the parts below', async () => {
    await assertTest('header :mime :anychild :param "filename" :matches "Content-Disposition" "*.exe"', true, { mail })
    await assertTest('header :mime :param "filename" :matches "Content-Disposition" "*.exe"', false, { mail })
    await assertTest('header :mime :anychild :param "name" "Content-Type" "über.exe"', true, { mail })
    await assertTest('address :mime :anychild "from" "inner@example.org"', true, { mail })
    await assertTest('exists :mime :anychild "Content-Disposition"', true, { mail })
    await assertTest('exists "Content-Disposition"', false, { mail })
    assert.match(problemOf(withAll('if header :anychild "a" "b" {}')), /requires ":mime"/)
  })
})

describe('extracttext, replace and enclose (RFC 5703 §5 to §7)', () => {
  test('extracttext reads text parts, cut and modified', async () => {
    const source =
      'foreverypart { if header :mime :subtype "Content-Type" ["plain", "html"] { extracttext :first 8 :upper "v"; fileinto "${v}"; } }'
    assert.deepEqual(await filed(source), ['FIRST TE', 'INNER TE'])
    assert.match(problemOf(withAll('extracttext "v";')), /inside "foreverypart"/)
  })
  test('replace changes a part for tests and actions after it', async () => {
    const source = 'foreverypart { if header :mime :type "Content-Type" "application" { replace "gone"; } }'
    const [keep] = await actionsOf(source, { mail })
    assert.ok(keep?.kind === 'keep')
    assert.deepEqual(keep.edits.body, [
      { kind: 'replace', path: [1], text: 'gone', mime: false, subject: null, from: null },
    ])
    await assertTest('body :contains "gone"', true, { mail }, source)
    await assertTest('header :mime :anychild :type "Content-Type" "application"', false, { mail }, source)
    await assertTest(
      'allof (body :contains "all new", not body :contains "First", header "subject" "outer")',
      true,
      { mail },
      'replace "all new";',
    )
  })
  test('enclose attaches the message as it was', async () => {
    const [keep] = await actionsOf('addheader "X" "y"; enclose :subject "Warning" :headers "From" "Look out";', {
      mail,
    })
    assert.ok(keep?.kind === 'keep')
    const [edit] = keep.edits.body
    assert.ok(edit?.kind === 'enclose' && edit.text === 'Look out' && edit.subject === 'Warning')
    assert.deepEqual(edit.message.headers?.[0], { name: 'X', value: 'y' })
    await assertTest(
      'allof (header "subject" "warning", header :mime :anychild "subject" "outer", body :contains "Look out")',
      true,
      { mail },
      'enclose :subject "Warning" "Look out";',
    )
  })
})
