import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useState } from 'react'
import { ContentDiff } from '../../diff/content-diff.tsx'
import { changesBetween } from '../session/changes-between.ts'
import { differencesOf, isClash } from '../session/conflict.ts'
import { sortProblems, whereOf } from '../session/problems.ts'
import { isDirty } from '../session/session-state.ts'
import type { Recovery } from '../session/use-recovery.ts'
import { valuesOf } from '../session/values.ts'
import { useEditor } from './editor-context.ts'
import { useEntryActions } from './use-entry-actions.ts'
import { focusProblem } from './use-focus-on-problem.ts'

/** Notices above the form that should be read before editing. */
export const EditorNotices = ({ recovery }: { recovery: Recovery }) => {
  const { state, rights } = useEditor()
  return (
    <div className="mb-5 flex flex-col gap-3 empty:hidden">
      {rights.reason === undefined ? null : <ReadOnly reason={rights.reason} />}
      {rights.edit && recovery.copy ? <RecoveryNotice recovery={recovery} /> : null}
      {state.remote === null ? null : <RemoteNotice />}
      {state.refusal === undefined ? null : (
        <Notice tone="danger" title="Not saved">
          {state.refusal}
        </Notice>
      )}
      <ProblemSummary />
    </div>
  )
}

const ReadOnly = ({ reason }: { reason: string }) => {
  const { state, rights } = useEditor()
  const actions = useEntryActions()
  const canRestore = rights.write && state.entry !== null && state.entry.deletedAt !== null
  const restore = () =>
    actions.restore().catch((error: unknown) => {
      toast({ tone: 'danger', title: "Couldn't restore the entry", description: messageOf(error) })
    })
  return (
    <Notice
      title="Read-only"
      action={
        canRestore ? (
          <Button size="sm" onClick={() => void restore()}>
            Restore
          </Button>
        ) : undefined
      }
    >
      {reason}
    </Notice>
  )
}

const RecoveryNotice = ({ recovery }: { recovery: Recovery }) => {
  const { type, state, canWrite } = useEditor()
  const [comparing, setComparing] = useState(false)
  const { copy, restored, restore, discard } = recovery
  if (!copy || !restored) return null
  const isOlder = state.entry !== null && copy.version !== null && copy.version < state.entry.version
  const buttons = (
    <>
      <Button size="sm" variant="primary" disabled={!canWrite} onClick={restore}>
        Restore
      </Button>
      <Button size="sm" onClick={discard}>
        Discard
      </Button>
    </>
  )
  return (
    <Notice tone="warning" title="You have unsaved changes from earlier">
      <p>
        From <RelativeTime at={new Date(copy.at)} />, stored in this browser.
        {isOlder ? ' The entry has been saved since. Compare before you restore.' : ''}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setComparing(true)}>
          Compare
        </Button>
        {buttons}
      </div>
      <Dialog
        open={comparing}
        onOpenChange={setComparing}
        size="lg"
        title="Unsaved changes"
        description="The current version, compared with your unsaved changes"
        footer={buttons}
      >
        <ContentDiff type={type} changes={changesBetween(type, state.values, restored)} />
      </Dialog>
    </Notice>
  )
}

/** Someone else saved; nothing of it is here yet. */
const RemoteNotice = () => {
  const { type, me, session, state } = useEditor()
  const { remote, server, base, values } = state
  if (remote === null) return null
  const isDivided = isClash(differencesOf(type, { server, base, mine: values, theirs: valuesOf(remote) }))
  const isMe = remote.updatedBy?.id === me.id
  const who = isMe ? 'You (in another window)' : (remote.updatedBy?.name ?? 'Someone')
  return (
    <Notice
      title={
        <>
          {who} saved this entry <RelativeTime at={remote.updatedAt} />
        </>
      }
      action={
        <span className="flex shrink-0 gap-2">
          <Button size="sm" onClick={session.compare}>
            Compare
          </Button>
          {isDirty(state) ? null : (
            <Button size="sm" variant="primary" onClick={() => session.resolve(remote, valuesOf(remote))}>
              Reload
            </Button>
          )}
        </span>
      }
    >
      {!isDirty(state)
        ? "You're looking at the older version."
        : isDivided
          ? 'You both changed the same field. Compare before you continue.'
          : 'You changed other fields. Both are kept when you save.'}
    </Notice>
  )
}

const ProblemSummary = () => {
  const { type, state } = useEditor()
  const { placed, homeless } = sortProblems(type, state.problems)
  if (homeless.length === 0 && placed.length < 2) return null
  return (
    <Notice
      tone="danger"
      title={`${state.problems.length} ${state.problems.length === 1 ? 'problem' : 'problems'} to fix`}
    >
      <ul className="flex flex-col gap-0.5">
        {placed.map((problem) => (
          <li key={`${problem.key} ${problem.message}`}>
            <button
              type="button"
              onClick={() => focusProblem(type, problem.key)}
              className="text-left text-ink underline decoration-line-strong underline-offset-2 hover:decoration-current"
            >
              {whereOf(type, problem)}: {problem.message}
            </button>
          </li>
        ))}
        {homeless.map((problem) => (
          <li key={`${problem.key} ${problem.message}`}>
            {problem.key}: {problem.message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
