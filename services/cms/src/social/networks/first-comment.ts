import { NetworkFailure } from './failure.ts'
import { LineCut } from './http.ts'
import type { Option, Publishing } from './network.ts'
import { textOption } from './option-values.ts'

/** `sending` is kept before the call, so that a comment whose fate is not known is not written twice. */
export type CommentProgress = { comment: 'sending' | 'sent' }

export const firstCommentOption: Option = {
  key: 'firstComment',
  type: 'textarea',
  label: 'First comment',
  help: 'Added as a comment right after the post goes out',
}

/** Adds the first comment if there is one to add; the post is out, so that a failure is a warning. */
export const addFirstComment = async (
  publishing: Publishing<CommentProgress>,
  send: (text: string) => Promise<unknown>,
): Promise<string[]> => {
  const text = textOption(publishing.outgoing.options, firstCommentOption.key)
  if (text === null || publishing.progress.comment === 'sent') return []
  if (publishing.progress.comment === 'sending')
    return ['The first comment may be missing. Check the post, and add the comment yourself if needed.']
  await publishing.save({ comment: 'sending' })
  try {
    await send(text)
  } catch (error) {
    return [`The first comment couldn't be added: ${wordsOf(error)}`]
  }
  await publishing.save({ comment: 'sent' })
  return []
}

/** What a network said, or that it said nothing; every other error is a fault of ours. */
export const wordsOf = (error: unknown): string => {
  if (error instanceof NetworkFailure || error instanceof LineCut) return error.message
  throw error
}
