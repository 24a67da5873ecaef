/** `Re:`, `Fw:`, `Fwd[2]:` with the tags of lists before it (RFC 5256 §5, subj-leader). */
const REPLY = /^(?:\[[^[\]]*\]\s*)*(?:re|fwd?)\s*(?:\[[^[\]]*\]\s*)?:\s*/i
const TAG = /^\[[^[\]]*\]\s*/
const FORWARDED_TAIL = /\s*\(fwd\)\s*$/i
const FORWARDED = /^\[fwd:(.*)\]$/is
/** The part of a subject that is compared: longer ones are not distinguished by their ends. */
const MAX_SUBJECT = 2000

/** The subject without what replies and forwards put around it (RFC 5256 §2.1), from a decoded subject. */
export const baseSubject = (subject: string): string => readSubject(subject).base

/** The base subject (RFC 5256 §2.1), and whether it was the subject of a reply or forward. */
export const readSubject = (subject: string): { base: string; isReply: boolean } => {
  let base = subject.slice(0, MAX_SUBJECT).replace(/\s+/g, ' ').trim()
  let isReply = false
  for (;;) {
    const stripped = stripOnce(base)
    isReply ||= stripped.isReply
    if (stripped.text === base) return { base, isReply }
    base = stripped.text
  }
}

const stripOnce = (subject: string): { text: string; isReply: boolean } => {
  const leaderless = subject.replace(FORWARDED_TAIL, '').replace(REPLY, '')
  const tagless = leaderless.replace(TAG, '')
  // A subject that is nothing but a tag keeps it.
  const kept = tagless === '' ? leaderless : tagless
  const forwarded = FORWARDED.exec(kept)?.[1]
  return { text: (forwarded ?? kept).trim(), isReply: leaderless !== subject || forwarded !== undefined }
}
