import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { sendMailbox } from '../../api.ts'
import { isEmptyLetter } from '../letter.ts'
import { updateWindow, windowOf } from '../windows.ts'
import { stepDraft } from './draft-state.ts'
import { forgetWindow } from './kept-windows.ts'
import { isGone } from './lost-answers.ts'
import { dropWindow, saveDraft } from './saving.ts'
import { currentSession, refreshLists } from './session.ts'

/** Long enough to read and reach the notice. */
const UNDO_MS = 12_000

/** Throws a message away. Its draft goes to the trash, so that it can come back. */
export const discardWindow = async (id: string): Promise<void> => {
  const one = windowOf(id)
  if (!one) return
  if (isEmptyLetter(one.letter) && one.draftId === null) return dropWindow(id)
  // Not shown and not saved any more
  updateWindow(id, { phase: 'sent' })
  forgetWindow(one)
  let isBack = false
  toast({
    title: 'Draft discarded',
    durationMs: UNDO_MS,
    action: {
      label: 'Undo',
      onAction: () => {
        isBack = true
        bringBack(id)
      },
    },
  })
  setTimeout(() => {
    if (!isBack) dropWindow(id)
  }, UNDO_MS * 2)
  await remove(one.draftId)
}

const remove = async (draftId: string | null): Promise<void> => {
  const session = currentSession()
  if (draftId === null || !session) return
  try {
    await sendMailbox('POST', '/api/mail/messages/delete', { body: { message_ids: [draftId] } })
    refreshLists(session)
  } catch (error) {
    if (!isGone(error)) toast({ tone: 'danger', title: "Couldn't discard the draft", description: messageOf(error) })
  }
}

/** From the trash it is saved as a new draft, which takes its place. */
const bringBack = (id: string): void => {
  const one = windowOf(id)
  if (!one) return
  updateWindow(id, { phase: 'writing', draft: stepDraft(one.draft, { kind: 'edited' }) })
  void saveDraft(id)
}
