/** A subject without what replies and forwards put before it. */
export const bareSubject = (subject: string): string => {
  let rest = subject.replace(/\s+/g, ' ').trim()
  for (let match = PREFIX.exec(rest); match; match = PREFIX.exec(rest)) rest = rest.slice(match[0].length)
  return rest
}

const PREFIX = /^(?:re|fwd?|aw|wg|sv|vs|tr|rif|antw)\s*(?:\[\d+\])?\s*:\s*/i
