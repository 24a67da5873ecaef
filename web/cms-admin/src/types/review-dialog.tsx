import { Button } from '@stoa/ui/button/button.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ChangeLine } from './change-words.ts'

type Question = { lines: readonly ChangeLine[]; answer: (save: boolean) => void }

export type Review = {
  /** Whether the person wants the changes after reading what they mean. */
  ask: (lines: readonly ChangeLine[]) => Promise<boolean>
  dialog: ReactNode
}

/** Shows what a change of a type does to the entries there are, before it is saved. */
export const useReview = (label: string): Review => {
  const [question, setQuestion] = useState<Question>()
  return {
    ask: (lines) =>
      new Promise((resolve) => {
        const answer = (save: boolean) => {
          setQuestion(undefined)
          resolve(save)
        }
        setQuestion({ lines, answer })
      }),
    dialog: question ? <ReviewDialog label={label} {...question} /> : null,
  }
}

const ReviewDialog = ({ label, lines, answer }: Question & { label: string }) => {
  const back = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open
      onOpenChange={() => answer(false)}
      role="alertdialog"
      title={`Review changes to “${label}”`}
      description="Nothing is saved yet. Changing fields never deletes stored values."
      initialFocus={back}
      footer={
        <>
          <Button ref={back} onClick={() => answer(false)}>
            Keep editing
          </Button>
          <Button variant="primary" onClick={() => answer(true)}>
            Save changes
          </Button>
        </>
      }
    >
      <ul aria-label="Changes" className="flex flex-col gap-3">
        {lines.map((line) => (
          <Line key={`${line.key} ${line.title}`} line={line} />
        ))}
      </ul>
    </Dialog>
  )
}

const looks = {
  quiet: { Icon: Info, tone: 'text-faint', word: '' },
  warning: { Icon: TriangleAlert, tone: 'text-draft-ink', word: 'Warning: ' },
  blocked: { Icon: CircleAlert, tone: 'text-failed-ink', word: 'Not possible: ' },
} as const

const Line = ({ line }: { line: ChangeLine }) => {
  const { Icon, tone, word } = looks[line.tone]
  return (
    <li className="flex items-start gap-2.5">
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', tone)} />
      <div className="min-w-0">
        <p className="font-medium text-ink">
          <span className="sr-only">{word}</span>
          {line.title}
        </p>
        <p className="text-muted">{line.detail}</p>
      </div>
    </li>
  )
}
