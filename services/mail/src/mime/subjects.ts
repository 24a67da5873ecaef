/** `Re:`, `Fw:`, `Fwd[2]:` with the tags of lists before it (RFC 5256 §5, subj-leader). */
const REPLY = /^(?:\[[^[\]]*\]\s*)*(?:re|fwd?)\s*(?:\[[^[\]]*\]\s*)?:\s*/i
const TAG = /^\[[^[\]]*\]\s*/
const FORWARDED_TAIL = /\s*\(fwd\)\s*$/i
const FORWARDED = /^\[fwd:(.*)\]$/is
/** Of a subject that is looked at: longer ones are not told apart by their ends. */
const MAX_SUBJECT = 2000

/** The subject without what replies and forwards put around it (RFC 5256 §2.1), from a decoded subject. */
export const baseSubject = (subject: string): string => {
  let base = subject.slice(0, MAX_SUBJECT).replace(/\s+/g, ' ').trim()
  for (;;) {
    const before = base
    base = stripOnce(base)
    if (base === before) return base
  }
}

const stripOnce = (subject: string): string => {
  const leaderless = subject.replace(FORWARDED_TAIL, '').replace(REPLY, '')
  const tagless = leaderless.replace(TAG, '')
  // A subject that is nothing but a tag keeps it.
  const kept = tagless === '' ? leaderless : tagless
  return (FORWARDED.exec(kept)?.[1] ?? kept).trim()
}
