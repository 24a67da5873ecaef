import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, type BodyPart, readBody } from './body.ts'
import { bodyValue } from './body-values.ts'
import { safeFileName } from './file-names.ts'
import { isFormAllowed, lastForm, rawHeaders } from './header-forms.ts'
import { htmlToText } from './html-text.ts'
import { imapBodyOf, imapBodyValue } from './imap-body.ts'
import { envelopeOf, envelopeValue } from './imap-envelope.ts'
import { formatImap } from './imap-values.ts'
import { parseMessage } from './parse.ts'
import { parseSection, resolveSection } from './sections.ts'
import { bytesOfPieces, headerRanges } from './structure.ts'
import { baseSubject } from './subjects.ts'
import { message } from './testing/corpus.ts'
import { attachmentNames, previewOf, searchTextOf } from './texts.ts'

const bodyOf = (name: string): { body: Body; bytes: Buffer } => {
  const bytes = message(name)
  return { body: readBody(parseMessage(bytes), bytes), bytes }
}
const ids = (parts: readonly BodyPart[]): string[] => parts.map(({ partId }) => partId ?? 'multipart')
const firstValue = (name: string, maxBytes = 0) => {
  const { body, bytes } = bodyOf(name)
  const [part] = body.textBody
  assert.ok(part)
  return bodyValue(part, bytes, maxBytes)
}

describe('the body of a message (RFC 8621)', () => {
  test('text, HTML and attachments are distinguished', () => {
    const { body } = bodyOf('related-in-mixed')
    assert.deepEqual(ids(body.textBody), ['1.1'])
    assert.deepEqual(ids(body.htmlBody), ['1.2.1'])
    assert.deepEqual(ids(body.attachments), ['1.2.2', '2'])
    assert.equal(body.hasAttachment, true)
    assert.deepEqual(attachmentNames(body), ['pic.png', 'report (final).pdf'])
  })

  test('a message with one text shows it in both bodies', () => {
    const { body } = bodyOf('html-only')
    assert.deepEqual([ids(body.textBody), ids(body.htmlBody), ids(body.attachments)], [['1'], ['1'], []])
  })

  test('values are decoded, with LF line ends, and say what was wrong', () => {
    assert.deepEqual(firstValue('alternative'), {
      value: 'Grüße, soft line',
      isEncodingProblem: false,
      isTruncated: false,
    })
    assert.deepEqual(firstValue('alternative', 5), { value: 'Grü', isEncodingProblem: false, isTruncated: true })
    assert.deepEqual(firstValue('unknown-charset'), { value: 'qapla’\n', isEncodingProblem: true, isTruncated: false })
    assert.equal(firstValue('utf7').value, 'Hi Mom -☺-! ab A≢Α. 1 + 1\n')
    assert.equal(firstValue('shift-jis').value, 'こんにちは\n')
    assert.equal(firstValue('html-only', 140).value.endsWith('</script>'), false)
  })

  test('header forms are read as RFC 8621 defines them', () => {
    const bytes = message('encoded-words')
    const { root } = parseMessage(bytes)
    assert.equal(lastForm(root, bytes, 'subject', 'text'), '✓ check and こんにちは')
    assert.deepEqual(lastForm(root, bytes, 'from', 'addresses'), [{ name: 'Jürgen Müller', email: 'j@example.org' }])
    assert.equal(lastForm(root, bytes, 'x-none', 'text'), null)
    assert.equal(rawHeaders(root, bytes)[0]?.name, 'From')
    assert.deepEqual([isFormAllowed('Subject', 'date'), isFormAllowed('X-Own', 'date')], [false, true])
    assert.equal(
      lastForm(parseMessage(message('latin1-header')).root, message('latin1-header'), 'subject', 'text'),
      'Grüße',
    )
  })
})

describe('IMAP', () => {
  test('the envelope keeps encoded words, groups and the sender it lacks', () => {
    const bytes = message('nested-messages')
    const inner = parseMessage(bytes).root.children[1]?.children[0]
    assert.ok(inner)
    assert.equal(
      formatImap(envelopeValue(envelopeOf(inner, bytes))),
      '(NIL "Middle" (("Middle, M." NIL "m" "example.org")) (("Middle, M." NIL "m" "example.org")) ' +
        '(("Middle, M." NIL "m" "example.org")) ((NIL NIL "Team" NIL)(NIL NIL "x" "example.org")' +
        '(NIL NIL "y" "example.org")(NIL NIL NIL NIL)) NIL NIL NIL NIL)',
    )
  })

  test('the body structure is made from the headers alone', () => {
    const bytes = message('related-in-mixed')
    const structure = parseMessage(bytes)
    const pieces = headerRanges(structure).map(({ start, end }) => ({ start, bytes: bytes.subarray(start, end) }))
    assert.equal(
      formatImap(imapBodyValue(imapBodyOf(structure.root, bytesOfPieces(pieces)), false)),
      '((("TEXT" "PLAIN" NIL NIL NIL "7BIT" 16 0)(("TEXT" "HTML" NIL NIL NIL "7BIT" 42 0)' +
        '("IMAGE" "PNG" ("NAME" "pic.png") "<pic@example.org>" NIL "BASE64" 44) "RELATED") "ALTERNATIVE")' +
        '("APPLICATION" "PDF" ("NAME" "report.pdf") NIL NIL "BASE64" 8) "MIXED")',
    )
  })

  test('strings that cannot be quoted are literals of their bytes', () => {
    assert.equal(formatImap('a"b\\c'), '"a\\"b\\\\c"')
    assert.equal(formatImap('ü'), '{2}\r\nü')
    assert.equal(formatImap('ü', { utf8: true }), '"ü"')
    assert.equal(formatImap('a\r\nb'), '{4}\r\na\r\nb')
  })

  const section = (name: string, text: string): string | null => {
    const bytes = message(name)
    const parsed = parseSection(text)
    const found = parsed && resolveSection(parseMessage(bytes), parsed)
    return found?.ranges.map(({ start, end }) => bytes.toString('utf8', start, end)).join('') ?? null
  }

  test('sections are found by their numbers and names', () => {
    assert.equal(section('nested-messages', '1'), 'See below.')
    assert.equal(section('nested-messages', '2.2.1'), 'inner text\r\nline two')
    assert.equal(section('nested-messages', '2.2.TEXT'), 'inner text\r\nline two')
    assert.equal(section('nested-messages', '2.2.HEADER'), 'From: inner@example.org\r\nSubject: Inner\r\n\r\n')
    assert.equal(section('nested-messages', '2.MIME')?.startsWith('Content-Type: message/rfc822\r\n'), true)
    assert.equal(section('nested-messages', '2.HEADER.FIELDS (SUBJECT)'), 'Subject: Middle\r\n\r\n')
    assert.equal(section('plain', '1')?.startsWith('Hello Bob'), true)
    assert.equal(section('plain', ''), message('plain').toString())
  })

  test('sections that are not there are null', () => {
    for (const text of ['3', '1.1', '1.HEADER', 'MIME', '0', 'HEADER.FIELDS', 'x', '1.TEXT', '2.3'])
      assert.equal(section('nested-messages', text), null, text)
  })
})

describe('texts', () => {
  test('the base subject has no replies, tags or forwards', () => {
    for (const subject of [
      'Re: Hello',
      'RE: FW: Hello',
      '[list] Re: Hello',
      'Re[2]: Hello (fwd)',
      '[Fwd: Re: Hello]',
      ' Hello ',
    ])
      assert.equal(baseSubject(subject), 'Hello', subject)
    assert.equal(baseSubject('[list]'), '[list]')
  })

  test('a preview has the own words of a message on one line', () => {
    const { body, bytes } = bodyOf('plain')
    assert.equal(previewOf(body, bytes), 'Hello Bob, this is plain.')
    const html = bodyOf('html-only')
    assert.equal(previewOf(html.body, html.bytes), 'Café & tea € 5 A B')
    assert.ok(searchTextOf(html.body, html.bytes).includes('Café & tea'))
  })

  test('HTML becomes words, without scripts and styles', () => {
    assert.equal(htmlToText('<p>a<b>b</b><br>c</p><style>x</style><td>1</td><td>2 &lt; 3'), 'ab\nc\n1 2 < 3')
    assert.equal(htmlToText('1 < 2 <!-- no --> <a href="x>y">z</a>'), '1 < 2 z')
  })

  test('names of attachments lead nowhere and hide nothing', () => {
    const { body } = bodyOf('evil-names')
    assert.deepEqual(attachmentNames(body), ['passwd', 'a X_ y.txt', 'evilgpj.exe'])
    assert.equal(safeFileName(null, 'application/pdf'), 'attachment.pdf')
    assert.equal(safeFileName('CON.txt', 'text/plain'), '_CON.txt')
    assert.ok(Buffer.byteLength(safeFileName(`${'ü'.repeat(500)}.pdf`, 'x/y')) <= 200)
  })
})
