import type { Identity } from '@stoa/mail-model/identities.ts'
import type { Attachment, Message } from '@stoa/mail-model/messages.ts'
import { newKey } from '@stoa/ui/browser/new-key.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { messageQuery } from '../queries.ts'
import type { ComposeIntent } from './compose.ts'
import { isTooLong, wholeMessage } from './document/clip.ts'
import type { DocNode } from './document/document.ts'
import { htmlToDoc } from './document/html-to-doc.ts'
import { forwardBlocks, forwardText, originalText, type PictureOf, replyBlocks, replyText } from './document/quote.ts'
import { signedDoc, signedText } from './document/signature.ts'
import { textToBlocks } from './document/text-to-doc.ts'
import { type Letter, type LetterBody, type LetterFile, shapeOf } from './letter.ts'
import { parseMailto } from './recipients/mailto.ts'
import { addRecipients, sameAddress } from './recipients/recipients.ts'
import { forwardSubject, identityFor, replyRecipients, replySubject, threading } from './reply.ts'
import { freshDraft } from './saving/draft-state.ts'
import { popOut } from './saving/saving.ts'
import { type ComposeSession, loadIdentities, loadSettings } from './saving/session.ts'
import { addWindow, allWindows, removeWindow, showWindow, updateWindow } from './windows.ts'

const EMPTY: Letter = {
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

/** Opens a window for what somebody wants to write. */
export const openIntent = async (intent: ComposeIntent, session: ComposeSession): Promise<void> => {
  if (intent.kind === 'draft') return openDraft(intent.id, session)
  if (intent.kind === 'mailto') return openIntent({ kind: 'new', ...parseMailto(intent.href) }, session)
  const { id: mailboxId } = session.mailbox
  const [identities, { compose_format: format }] = await Promise.all([loadIdentities(session), loadSettings(session)])
  if (intent.kind === 'new') {
    const identity = identities.find(({ is_default: isDefault }) => isDefault) ?? identities[0] ?? null
    const body = bodyOf(format, identity, { text: intent.text ?? '' })
    const to = addRecipients([], intent.to ?? [])
    const [cc, bcc] = [addRecipients([], intent.cc ?? []), addRecipients([], intent.bcc ?? [])]
    const letter = { ...EMPTY, identityId: identity?.id ?? null, to, cc, bcc, subject: intent.subject ?? '', body }
    addWindow({ mailboxId, letter, focus: to.length > 0 ? 'body' : 'to' })
    return
  }
  const made = intent.kind === 'forward' ? forwarded : answered
  if (intent.isInline) for (const one of allWindows()) if (one.inlineAt === intent.message.id) popOut(one.id)
  addWindow({
    mailboxId,
    letter: made(intent.message, { identities, format, isAll: intent.kind === 'reply-all' }),
    inlineAt: intent.isInline ? intent.message.id : null,
    focus: intent.kind === 'forward' ? 'to' : 'body',
  })
}

type Surroundings = { identities: readonly Identity[]; format: 'html' | 'text'; isAll: boolean }

const answered = (message: Message, { identities, format, isAll }: Surroundings): Letter => {
  const identity = identityOf(message, identities)
  const pictures = carryPictures(message)
  const quote = { blocks: () => replyBlocks(message, pictures.pictureOf), words: () => replyText(message) }
  return {
    ...EMPTY,
    ...replyRecipients(message, identities, isAll),
    ...threading(message),
    identityId: identity?.id ?? null,
    subject: replySubject(message.subject),
    body: bodyOf(format, identity, { quote }),
    files: format === 'html' ? pictures.files : [],
    original: { id: message.id, mark: 'answered', wasMarked: message.flags.answered },
  }
}

const forwarded = (message: Message, { identities, format }: Surroundings): Letter => {
  const identity = identityOf(message, identities)
  const pictures = carryPictures(message)
  const quote = { blocks: () => forwardBlocks(message, pictures.pictureOf), words: () => forwardText(message) }
  const body = bodyOf(format, identity, { quote })
  // In plain text no picture is shown: they come as files like the others
  const files = isTooLong(message)
    ? [wholeMessage(message)]
    : message.attachments
        .filter(({ inline }) => !inline || format === 'text')
        .map((one) => carriedFile(message.id, one, null))
  return {
    ...EMPTY,
    // A forwarded message stays in the thread (References) without being a reply
    references: threading(message).references,
    identityId: identity?.id ?? null,
    subject: forwardSubject(message.subject),
    body,
    files: format === 'html' ? [...pictures.files, ...files] : files,
    original: { id: message.id, mark: 'forwarded', wasMarked: message.flags.forwarded },
  }
}

const identityOf = (message: Message, identities: readonly Identity[]): Identity | null =>
  identities.find(({ id }) => id === identityFor(message, identities)) ?? null

type BodyParts = { text?: string; quote?: { blocks: () => DocNode[]; words: () => string } }

const bodyOf = (format: 'html' | 'text', identity: Identity | null, { text = '', quote }: BodyParts): LetterBody =>
  format === 'text'
    ? { format, text: signedText(text, identity, quote?.words() ?? '') }
    : { format, doc: signedDoc(text === '' ? [] : textToBlocks(text), identity, quote?.blocks() ?? []) }

/** A file of another message goes along by its place there: nobody uploads it again. */
const carriedFile = (messageId: string, one: Attachment, contentId: string | null): LetterFile => ({
  key: newKey(),
  filename: one.filename,
  size: one.size_bytes,
  contentType: one.content_type,
  contentId,
  blobId: `p${messageId}-${one.section.replaceAll('.', '_')}`,
  part: null,
  state: 'ready',
  share: 1,
  problem: null,
  canRetry: false,
})

/** Pictures that the text of a message shows go along with what is quoted of it. */
const carryPictures = (message: Message): { files: LetterFile[]; pictureOf: PictureOf } => {
  const files: LetterFile[] = []
  const known = new Map<string, string>()
  const pictureOf: PictureOf = (src) => {
    const section = sectionOf(message.id, src)
    const one = section === null ? undefined : message.attachments.find((each) => each.section === section)
    if (!one) return null
    const before = known.get(one.section)
    if (before !== undefined) return before
    const file = carriedFile(message.id, one, `${newKey()}@stoa`)
    files.push(file)
    known.set(one.section, file.contentId ?? '')
    return file.contentId
  }
  return { files, pictureOf }
}

const sectionOf = (messageId: string, src: string): string | null => {
  const start = `/api/mail/messages/${messageId}/part/`
  return src.startsWith(start) ? src.slice(start.length) : null
}

/** Opens a saved draft, or shows the window that it is open in. */
const openDraft = async (draftId: string, session: ComposeSession): Promise<void> => {
  // A closed window that is still saving is newer than the draft on the service
  const open = allWindows().find((one) => one.draftId === draftId && one.phase !== 'sent')
  if (open) {
    if (open.phase === 'closing') updateWindow(open.id, { phase: 'writing' })
    return showWindow(open.id, open.view === 'minimised' ? 'docked' : open.view)
  }
  const waiting = addWindow({ mailboxId: session.mailbox.id, letter: EMPTY, draftId, phase: 'loading', focus: 'body' })
  try {
    const [message, identities] = await Promise.all([
      session.client.fetchQuery({ ...messageQuery(draftId), staleTime: 0 }),
      loadIdentities(session),
    ])
    const letter = draftLetter(message, identities)
    updateWindow(waiting.id, {
      letter,
      phase: 'writing',
      draft: freshDraft(new Date(message.received_at).getTime()),
      draftShape: shapeOf(letter),
      shownFields: { cc: letter.cc.length > 0, bcc: letter.bcc.length > 0 },
      focus: letter.to.length > 0 ? 'body' : 'to',
      bodyRevision: 1,
    })
  } catch (error) {
    removeWindow(waiting.id)
    toast({ tone: 'danger', title: "Couldn't open the draft", description: messageOf(error) })
  }
}

const draftLetter = (message: Message, identities: readonly Identity[]): Letter => {
  const { from, in_reply_to: inReplyTo, references } = message
  const identity = identities.find(({ email }) => from !== null && sameAddress(email, from.email))
  const files = message.attachments.map((one) => ({
    ...carriedFile(message.id, one, one.content_id !== null && one.inline ? one.content_id : null),
    blobId: null,
    part: { draftId: message.id, section: one.section },
  }))
  const pictureOf: PictureOf = (src) => {
    const section = sectionOf(message.id, src)
    return files.find(({ part }) => part.section === section)?.contentId ?? null
  }
  return {
    ...EMPTY,
    identityId: (identity ?? identities.find(({ is_default: isDefault }) => isDefault))?.id ?? null,
    to: addRecipients([], message.to),
    cc: addRecipients([], message.cc),
    bcc: addRecipients([], message.bcc),
    subject: message.subject ?? '',
    body:
      message.html === null
        ? { format: 'text', text: originalText(message).replace(/\n$/, '') }
        : { format: 'html', doc: htmlToDoc(message.html, { picture: pictureOf }) },
    inReplyTo,
    references,
    files,
  }
}
