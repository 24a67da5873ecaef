import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isTooLong, wholeMessage } from './document/clip.ts'
import { docToText } from './document/doc-to-mail.ts'
import { type DocNode, docOf, nodesOf, paragraph, textNode } from './document/document.ts'
import { forwardBlocks, forwardText, replyBlocks, replyText } from './document/quote.ts'
import { signedDoc, signedText, swapSignature, swapTextSignature } from './document/signature.ts'
import { isEmptyLetter, type Letter, type LetterFile, letterJson, usedFiles } from './letter.ts'
import { estimatedSize, MAX_FILE_BYTES, MAX_MESSAGE_BYTES, mailedSize, promisesFile } from './limits.ts'
import { type DraftEvent, draftLine, freshDraft, isUnsaved, stepDraft } from './saving/draft-state.ts'
import { sectionsOf } from './saving/saving.ts'
import { laterMoments, problemOfMoment } from './schedule.ts'
import { problemsOf, questionsOf } from './send-check.ts'

const ada = { signature_html: '<p><b>Ada</b></p>', signature_text: 'Ada' }
const shop = { signature_html: '', signature_text: 'The shop\nOpen daily' }
const none = { signature_html: '', signature_text: '' }
const original = {
  from: { name: 'Ann, X', email: 'ann@a.test' },
  to: [{ name: null, email: 'ada@own.test' }],
  cc: [],
  date: '2026-03-02T12:05:00.000Z',
  received_at: '2026-03-02T12:06:00.000Z',
  subject: 'Hello',
  html: null,
  text: 'One\r\n> Two\r\n-- \r\nAnn\r\n',
}

describe('the original below', () => {
  test('an answer quotes it, without the signature of its writer', () => {
    const [first, ...rest] = replyText(original).split('\n')
    assert.match(first ?? '', /^On .*2026.*, "Ann, X" <ann@a\.test> wrote:$/)
    assert.deepEqual(rest, ['> One', '>> Two'])
    const doc = docOf(replyBlocks({ ...original, html: '<p>One</p><img src="/x">' }, () => 'c@stoa'))
    assert.equal(doc.content?.[1]?.type, 'blockquote')
    assert.match(JSON.stringify(doc), /"cid":"c@stoa"/)
  })

  test('what is passed on comes whole, with who wrote it to whom', () => {
    const text = forwardText(original)
    assert.match(
      text,
      /^-{10} Forwarded message -{10}\nFrom: "Ann, X" <ann@a\.test>\nDate: .+\nSubject: Hello\nTo: ada@own\.test\n\nOne/,
    )
    assert.match(text, /-- \nAnn$/)
    assert.match(docToText(docOf(forwardBlocks(original, () => null))), /Subject: Hello\nTo: ada@own\.test\n\nOne/)
  })
})

describe('a message that is too long to be quoted', () => {
  const line = '<p>Words that <b>nobody</b> answers to.</p>'
  const long = { ...original, html: line.repeat(120_000), text: null }

  test('is quoted by its beginning, and says so', () => {
    const blocks = replyBlocks(long, () => null)
    assert.ok([...nodesOf(docOf(blocks))].length < 3000)
    const text = docToText(docOf(blocks))
    assert.ok(text.length < 50_000)
    assert.match(text, /> Words that nobody answers to\.\n[\s\S]*> \[Message shortened\]$/)
    assert.match(
      replyText({ ...long, html: null, text: 'Words\n'.repeat(50_000) }),
      /> Words\n>\n> \[Message shortened/,
    )
  })

  test('is passed on as a file with all of it', () => {
    assert.match(docToText(docOf(forwardBlocks(long, () => null))), /See the attached file for the full text\.\]$/)
    const { filename, blobId } = wholeMessage({ ...long, id: '1', subject: 'a/b\u202e', size_bytes: 9 })
    assert.deepEqual([filename, blobId], ['a_b.eml', 'm1'])
  })

  test('a newsletter of a usual length is quoted as it is', () => {
    assert.equal(isTooLong({ html: line.repeat(1000), text: null }), false)
    assert.equal(isTooLong({ html: '<i>x</i>'.repeat(6000), text: null }), true)
  })
})

describe('signatures', () => {
  const words = (doc: DocNode) => docToText(doc)
  test('stand between what is written and the original', () => {
    const doc = signedDoc(
      [],
      ada,
      replyBlocks(original, () => null),
    )
    assert.deepEqual(
      (doc.content ?? []).map(({ type }) => type),
      ['paragraph', 'paragraph', 'signature', 'paragraph', 'paragraph', 'blockquote'],
    )
    assert.match(signedText('', ada, replyText(original)), /^\n\n-- \nAda\n\nOn .* wrote:\n> One/)
    assert.equal(words(signedDoc([paragraph(textNode('Hi'))], none, [])), 'Hi')
  })

  test('another identity changes nothing but the signature', () => {
    const doc = signedDoc(
      [paragraph(textNode('Hi'))],
      ada,
      replyBlocks(original, () => null),
    )
    const swapped = swapSignature(doc, shop)
    assert.equal(words(swapped), words(doc).replace('-- \nAda', '-- \nThe shop\nOpen daily'))
    assert.equal(words(swapSignature(swapSignature(swapped, none), ada)).includes('-- \nAda'), true)
    // It is above the original even when there was none before
    assert.match(words(swapSignature(swapSignature(swapped, none), ada)), /Hi\n\n-- \nAda\n[\s\S]*wrote:/)
  })

  test('so it does in plain text', () => {
    const text = signedText('Hi', ada, replyText(original))
    assert.equal(swapTextSignature(text, ada, shop), text.replace('-- \nAda', '-- \nThe shop\nOpen daily'))
    assert.match(swapTextSignature('Hi\n\nOn x wrote:\n> a', none, ada), /^Hi\n\n-- \nAda\n\nOn x wrote:\n> a$/)
    assert.equal(swapTextSignature('Hi', none, ada), 'Hi\n\n-- \nAda')
    assert.equal(swapTextSignature('Hi', none, none), 'Hi')
  })
})

describe('the state of a draft', () => {
  const clock = (at: number) => String(at)
  test('is said in words', () => {
    let state = freshDraft()
    assert.equal(draftLine(state, clock), '')
    state = stepDraft(state, { kind: 'edited' })
    assert.equal(draftLine(state, clock), 'Not saved yet')
    state = stepDraft(state, { kind: 'started' })
    assert.equal(draftLine(state, clock), 'Saving…')
    state = stepDraft(state, {
      kind: 'failed',
      problem: { kind: 'offline', message: 'Offline. Saved in this browser' },
    })
    assert.equal(draftLine(state, clock), 'Offline. Saved in this browser')
    state = stepDraft(stepDraft(state, { kind: 'started' }), { kind: 'saved', at: 7 })
    assert.equal(draftLine(state, clock), 'Saved 7')
  })

  test('what was typed while it was saved is not saved', () => {
    let state = stepDraft(stepDraft(freshDraft(), { kind: 'edited' }), { kind: 'started' })
    state = stepDraft(stepDraft(state, { kind: 'edited' }), { kind: 'saved', at: 1 })
    assert.equal(isUnsaved(state), true)
  })

  test('whatever happens, it never says saved when something is not', () => {
    const event: fc.Arbitrary<DraftEvent> = fc.oneof(
      fc.constant({ kind: 'edited' as const }),
      fc.constant({ kind: 'started' as const }),
      fc.constant({ kind: 'saved' as const, at: 1 }),
      fc.constant({ kind: 'failed' as const, problem: { kind: 'offline' as const, message: 'Not saved' } }),
    )
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let [state, edits, covered] = [freshDraft(), 0, 0]
        let saving: number | null = null
        for (const one of events) {
          if (one.kind === 'edited') edits += 1
          if (one.kind === 'started') saving ??= edits
          if (one.kind === 'saved' && saving !== null) covered = saving
          if (one.kind === 'saved' || one.kind === 'failed') saving = null
          state = stepDraft(state, one)
          assert.equal(isUnsaved(state), edits > covered)
          if (draftLine(state, clock).startsWith('Saved')) assert.equal(edits, covered)
        }
      }),
      { seed: 7 },
    )
  })
})

const file = (given: Partial<LetterFile>): LetterFile => ({
  key: 'k',
  filename: 'a.txt',
  size: 3,
  contentType: 'text/plain',
  contentId: null,
  blobId: 'u1',
  part: null,
  state: 'ready',
  share: 1,
  problem: null,
  canRetry: false,
  ...given,
})
const blank: Letter = {
  identityId: null,
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  body: { format: 'text', text: '' },
  inReplyTo: null,
  references: [],
  files: [],
  original: null,
}

describe('a message', () => {
  test('names files by their place in the draft that it replaces, else by their bytes', () => {
    const part = { draftId: 'd', section: '2' }
    const letter = {
      ...blank,
      files: [file({ key: 'a', part }), file({ key: 'b' }), file({ key: 'c', blobId: null, part })],
    }
    const sources = (draftId: string | null) =>
      letterJson(letter, draftId).attachments.map(({ section, blob_id: id }) => section ?? id)
    assert.deepEqual(sources('d'), ['2', 'u1', '2'])
    assert.deepEqual(sources('other'), ['u1', 'u1'])
    const odd = letterJson({ ...blank, files: [file({ filename: 'a\r\nb', contentType: 'odd' })] }, null).attachments[0]
    assert.deepEqual([odd?.filename, odd?.content_type], ['a b', 'application/octet-stream'])
  })

  test('leaves pictures behind that its text no longer shows', () => {
    const files = [file({ contentId: 'a@stoa' }), file({ key: 'l' })]
    const doc = docOf([paragraph([{ type: 'image', attrs: { cid: 'a@stoa' } }])])
    assert.equal(usedFiles({ files, body: { format: 'html', doc } }).length, 2)
    assert.equal(usedFiles({ files, body: { format: 'text', text: '' } }).length, 1)
  })

  test('is empty until something is there to lose', () => {
    assert.equal(isEmptyLetter(blank), true)
    assert.equal(isEmptyLetter({ ...blank, subject: ' x' }), false)
    assert.equal(isEmptyLetter({ ...blank, files: [file({})] }), false)
  })

  test('is refused with the reason at the field', () => {
    assert.deepEqual(problemsOf(blank), { to: 'Add at least one recipient.' })
    const to = [{ name: null, email: 'a@b.test' }]
    assert.match(problemsOf({ ...blank, to, cc: [{ name: null, email: 'half' }] }).cc ?? '', /missing an @/)
    assert.match(
      problemsOf({ ...blank, to: Array.from({ length: 101 }, (_, at) => ({ name: null, email: `${at}@b.test` })) })
        .to ?? '',
      /101/,
    )
    assert.match(problemsOf({ ...blank, to, files: [file({ size: MAX_FILE_BYTES + 100 })] }).files ?? '', /too large/)
    assert.deepEqual(problemsOf({ ...blank, to, files: [file({ size: MAX_FILE_BYTES - 1000 })] }), {})
    assert.ok(mailedSize(MAX_FILE_BYTES) < MAX_MESSAGE_BYTES && estimatedSize(blank) > 0)
  })

  test('asks about what may have been forgotten', () => {
    const body = { format: 'text' as const, text: 'The plan is attached.' }
    assert.deepEqual(questionsOf({ ...blank, body }), ['no-subject', 'no-file'])
    assert.deepEqual(questionsOf({ ...blank, subject: 'x', body, files: [file({})] }), [])
    assert.deepEqual(questionsOf({ ...blank, subject: 'x', files: [file({ state: 'failed' })] }), ['failed-file'])
    assert.equal(promisesFile('Plan', 'Thanks!\n\nOn x wrote:\n> see attached'), false)
    assert.equal(promisesFile('Plan', 'Thanks!\n-- \nattached to my desk'), false)
    assert.equal(promisesFile('Plan', 'Yes.\n\n---------- Forwarded message ----------\nsee attached'), false)
    for (const words of [
      'Anbei der Plan',
      'Der Plan ist im Anhang.',
      'Ich habe den Plan angehängt.',
      'Die beigefügte Rechnung',
      'Vous trouverez ci-joint le plan',
      'Le plan est en pièce jointe.',
      'Adjunto el plan',
      'Se adjuntan las facturas',
      'In allegato il piano',
      '> How so?\nSee the attachment.',
    ])
      assert.equal(promisesFile('Plan', words), true, words)
    for (const words of ['Der Anhänger ist rot', 'Une jointure', 'A close attachee', 'Ich hänge an ihr'])
      assert.equal(promisesFile('Plan', words), false, words)
  })

  test('finds its files again in the saved draft, by id, name and size', () => {
    const saved = (section: string, filename: string, size: number, contentId: string | null = null) => ({
      object: 'attachment' as const,
      section,
      filename,
      content_type: 'x/y',
      size_bytes: size,
      content_id: contentId,
      inline: contentId !== null,
    })
    const files = [
      file({ key: 'a', filename: 'odd/name', size: 5 }),
      file({ key: 'b', size: 5 }),
      file({ key: 'c', contentId: 'p@stoa' }),
    ]
    const sections = sectionsOf(files, [
      saved('1.2', 'x', 9, 'p@stoa'),
      saved('2', 'odd_name', 5),
      saved('3', 'a.txt', 5),
    ])
    assert.deepEqual([...sections].toSorted(), [
      ['a', '2'],
      ['b', '3'],
      ['c', '1.2'],
    ])
  })
})

test('moments to send at are ahead, in order and not too far', () => {
  // A Sunday
  const now = new Date(2026, 10, 15, 9, 0)
  assert.deepEqual(
    laterMoments(now).map(({ label, at }) => `${label} ${at.getDate()}, ${at.getHours()}:00`),
    ['This evening 15, 18:00', 'Tomorrow morning 16, 8:00', 'Tomorrow afternoon 16, 13:00'],
  )
  assert.equal(laterMoments(new Date(2026, 10, 17, 17, 45))[0]?.label, 'Tomorrow morning')
  assert.equal(laterMoments(new Date(2026, 10, 18, 9)).at(-1)?.label, 'Monday morning')
  assert.equal(problemOfMoment(new Date(now.getTime() + 3_600_000), now), null)
  assert.match(problemOfMoment(new Date(now.getTime() - 1), now) ?? '', /in the future/)
  assert.match(problemOfMoment(new Date(now.getTime() + 31 * 86_400_000), now) ?? '', /30 days/)
  assert.match(problemOfMoment(new Date(''), now) ?? '', /Choose/)
})
