import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { type ReactNode, useState } from 'react'
import { MomentDialog } from '../actions/moment-dialog.tsx'
import { isUploading } from './files.ts'
import { MAX_AHEAD_MS, problemOfMoment, soonest } from './schedule.ts'
import { problemsOf, type Question, questionsOf } from './send-check.ts'
import { sendLetter } from './sending.ts'
import { type ComposeWindow, updateWindow, windowOf } from './windows.ts'

export type SendActions = {
  send: () => void
  sendAt: (at: Date) => void
  /** Asks for the moment. */
  askWhen: () => void
}

type Asked = { questions: readonly Question[]; at: Date | null }

/** Sending, with what is asked before. */
export const useSendActions = (one: ComposeWindow): SendActions & { questions: ReactNode } => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const go = (at: Date | null, answered: number) => {
    // The focus left a field just now: what was in it is read first
    const now = windowOf(one.id)
    if (now?.phase !== 'writing') return
    if (isUploading(now)) {
      updateWindow(one.id, { problem: 'Wait for the upload to finish, or remove the files.' })
      return
    }
    const problems = problemsOf(now.letter)
    if (Object.keys(problems).length > 0) {
      updateWindow(one.id, { fieldProblems: problems })
      focusFirst(one.id)
      return
    }
    const questions = questionsOf(now.letter).slice(answered)
    if (questions.length > 0) setAsked({ questions, at })
    else void sendLetter(one.id, at)
  }
  const begin = (at: Date | null) => {
    // A recipient that is still typed becomes one when its input is left
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
    setTimeout(() => go(at, 0))
  }
  const [question, ...more] = asked?.questions ?? []
  const confirm = () => {
    if (!asked) return
    if (more.length > 0) setTimeout(() => setAsked({ questions: more, at: asked.at }))
    else void sendLetter(one.id, asked.at)
  }
  return {
    send: () => begin(null),
    sendAt: begin,
    askWhen: () => setChoosing(true),
    questions: (
      <>
        <ConfirmDialog
          key={question}
          open={question !== undefined}
          onOpenChange={(open) => {
            if (!open) setAsked(null)
          }}
          {...(question ? WORDS[question] : WORDS['no-subject'])}
          tone="primary"
          onConfirm={confirm}
        />
        {isChoosing ? (
          <MomentDialog
            title="Send later"
            description="You can cancel it in Scheduled until then. Up to 30 days ahead."
            submitLabel="Schedule"
            initial={soonest(new Date())}
            max={new Date(Date.now() + MAX_AHEAD_MS)}
            problemOf={problemOfMoment}
            onChoose={begin}
            onClose={() => setChoosing(false)}
          />
        ) : null}
      </>
    ),
  }
}

const WORDS: Record<Question, { title: string; consequence: string; confirmLabel: string }> = {
  'no-subject': {
    title: 'Send without a subject?',
    consequence: 'Messages without a subject are easy to miss.',
    confirmLabel: 'Send without subject',
  },
  'failed-file': {
    title: 'Send without failed attachments?',
    consequence: "Files that couldn't be uploaded won't be included.",
    confirmLabel: 'Send anyway',
  },
  'no-file': {
    title: 'Forgot an attachment?',
    consequence: 'Your message mentions an attachment, but nothing is attached.',
    confirmLabel: 'Send without attachment',
  },
}

const focusFirst = (id: string): void => {
  setTimeout(() => {
    if (windowOf(id)) document.querySelector<HTMLElement>('[data-compose-window] [aria-invalid="true"]')?.focus()
  })
}
