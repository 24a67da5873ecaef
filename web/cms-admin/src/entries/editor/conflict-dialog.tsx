import type { Entry } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useMemo, useState } from 'react'
import { type Choices, chooseAll, differencesOf, firstChoices, isDecided, resolved } from '../session/conflict.ts'
import type { Conflict } from '../session/session-state.ts'
import { valuesOf } from '../session/values.ts'
import { DifferenceChoice } from './difference-choice.tsx'
import { useEditor } from './editor-context.ts'

/** Nothing is saved until the conflict is resolved. A notice can reopen the closed dialog, so that one can look at the form. */
export const ConflictDialog = ({ conflict }: { conflict: Conflict }) => {
  const [isOpen, setIsOpen] = useState(true)
  const { me } = useEditor()
  const who = conflict.theirs?.updatedBy?.id === me.id ? YOU : (conflict.by ?? 'Someone else')
  const close = () => setIsOpen(false)
  if (!isOpen) return <Waiting who={who} onOpen={() => setIsOpen(true)} />
  if (conflict.theirs) return <Decision theirs={conflict.theirs} who={who} onBack={close} />
  return <Unread who={who} problem={conflict.problem} onBack={close} />
}

const YOU = 'You'

const titleFor = (who: string): string =>
  who === YOU ? 'You also changed this entry in another window' : `${who} also changed this entry`

const Waiting = ({ who, onOpen }: { who: string; onOpen: () => void }) => (
  <div className="layer-sticky fixed inset-x-4 bottom-4 mx-auto max-w-dialog-md">
    <Notice
      tone="danger"
      title="Your changes aren't saved"
      className="shadow-md"
      action={
        <Button size="sm" variant="primary" onClick={onOpen}>
          Resolve
        </Button>
      }
    >
      {who} changed this entry after you opened it.
    </Notice>
  </div>
)

type UnreadProps = { who: string; problem: string | undefined; onBack: () => void }

const Unread = ({ who, problem, onBack }: UnreadProps) => {
  const { session } = useEditor()
  return (
    <Dialog
      open
      onOpenChange={onBack}
      role="alertdialog"
      title={titleFor(who)}
      description="Your changes aren't saved until you choose what to keep."
      footer={
        <>
          <Button onClick={onBack}>Back to editor</Button>
          <Button variant="primary" loading={problem === undefined} onClick={() => void session.readTheirs()}>
            Try again
          </Button>
        </>
      }
    >
      {problem === undefined ? (
        <SkeletonText lines={3} />
      ) : (
        <Notice tone="danger" title="Couldn't load their version">
          {problem}
        </Notice>
      )}
    </Dialog>
  )
}

type DecisionProps = { theirs: Entry; who: string; onBack: () => void }

const Decision = ({ theirs, who, onBack }: DecisionProps) => {
  const { type, session, state } = useEditor()
  const { server, base, values } = state
  const differences = useMemo(
    () => differencesOf(type, { server, base, mine: values, theirs: valuesOf(theirs) }),
    [type, server, base, values, theirs],
  )
  const [choices, setChoices] = useState<Choices>(() => firstChoices(differences))
  const finish = (chosen: Choices) => session.resolve(theirs, resolved(valuesOf(theirs), differences, chosen))
  return (
    <Dialog
      open
      onOpenChange={onBack}
      role="alertdialog"
      size="lg"
      title={titleFor(who)}
      description={
        <>
          Saved <RelativeTime at={theirs.updatedAt} />. Your changes aren't saved until you choose what to keep.
        </>
      }
      footer={
        <>
          <Button className="mr-auto" onClick={onBack}>
            Back to editor
          </Button>
          <Button onClick={() => finish(chooseAll(differences, 'theirs'))}>Load theirs</Button>
          <Button onClick={() => finish(chooseAll(differences, 'mine'))}>Keep all mine</Button>
          <Button variant="primary" disabled={!isDecided(differences, choices)} onClick={() => finish(choices)}>
            Save selection
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {differences.length === 0 ? <p>Your changes are the same as theirs. There's nothing to choose.</p> : null}
        {differences.map((difference) => (
          <DifferenceChoice
            key={difference.member}
            difference={difference}
            who={who}
            chosen={choices.get(difference.member)}
            onChoose={(side) => setChoices(new Map([...choices, [difference.member, side]]))}
          />
        ))}
      </div>
    </Dialog>
  )
}
