import { NetworkFailure, warningOf } from '../http/failure.ts'
import type { Option, Publishing } from '../network.ts'
import { textOption } from './option-values.ts'

/** `sending` is kept before the call, so that a comment whose fate is not known is not written twice. */
export type CommentProgress = { comment: 'sending' | 'sent' | null }

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
    // A refused comment can be retried: with a renewed token, or by a person.
    if (error instanceof NetworkFailure && (error.facts.httpStatus ?? 500) < 500)
      await publishing.save({ comment: null })
    return [`The first comment couldn't be added: ${warningOf(error)}`]
  }
  await publishing.save({ comment: 'sent' })
  return []
}
