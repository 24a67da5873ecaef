import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { cx } from '@stoa/ui/cx.ts'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useIsPhone } from '@stoa/ui/use-media-query.ts'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { ConflictDialog } from './conflict-dialog.tsx'
import { type Beginning, EditorProvider, type EditorView } from './editor-context.ts'
import { EditorHeader } from './editor-header.tsx'
import { EditorNotices } from './editor-notices.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryPanels } from './entry-panels.tsx'
import { HistoryView } from './history-view.tsx'
import { nameOf } from './labels.ts'
import { rightsOf } from './rights.ts'
import { isFrozen } from './session-state.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { useFocusOnProblem } from './use-focus-on-problem.ts'
import { useRecovery } from './use-recovery.ts'
import { useSession } from './use-session.ts'
import { useUndoKeys } from './use-undo-keys.ts'

type EditorProps = {
  type: ContentType
  me: Me
  settings: Settings
  /** Null begins a new one. */
  entry: Entry | null
  /** What the service said last; it may be newer than what is edited. */
  latest: Entry | undefined
  onCreated: (id: string) => void
}

/** Everything that can be done with one entry. */
export const Editor = (props: EditorProps) => {
  const { type, me } = props
  const phone = useIsPhone()
  const url = useUrlState()
  const [showsDetails, setShowsDetails] = useState(false)
  const showHistory = () => {
    setShowsDetails(false)
    url.set({ tab: 'history' })
  }
  const view = { ...useEditorView(props), showHistory }
  const { session, state } = view
  const recovery = useRecovery(session, { account: me.id, type: type.name, translationOf: null })
  const history = url.get('tab') === 'history' ? state.entry : null
  useFocusOnProblem(type, state)
  useUndoKeys(session, view.canWrite)
  const showSlug = useEffectEvent(() => {
    if (phone && state.problems.some(({ key }) => key === 'slug')) setShowsDetails(true)
  })
  useEffect(() => {
    if (state.refusals > 0) showSlug()
  }, [state.refusals])
  return (
    <EditorProvider value={view}>
      <title>{`${state.entry === null && state.values.title === '' ? `New ${type.label.toLowerCase()}` : nameOf(state.values)} · ${type.labelPlural} · Stoa CMS`}</title>
      <EditorHeader onDetails={phone ? () => setShowsDetails(true) : undefined} />
      <EditorNotices recovery={recovery} />
      {history === null ? null : (
        <HistoryView entry={history} onClose={() => url.set({ tab: '', revision: '', against: '', history: '' })} />
      )}
      {/* Not taken away: carets and texts stay as they are behind the history */}
      <div
        className={cx('grid grid-cols-[minmax(0,1fr)_18rem] items-start gap-8 phone:grid-cols-1', history && 'hidden')}
      >
        <EntryForm />
        {phone ? (
          <Dialog open={showsDetails} onOpenChange={setShowsDetails} title="Details">
            <EntryPanels />
          </Dialog>
        ) : (
          <aside aria-label="Details" className="flex min-w-0 flex-col gap-6">
            <EntryPanels />
          </aside>
        )}
      </div>
      {state.conflict === null ? null : <ConflictDialog conflict={state.conflict} />}
      {state.isSignedOut ? <SignInAgain me={me} session={session} /> : null}
    </EditorProvider>
  )
}

const useEditorView = ({
  type,
  me,
  settings,
  entry,
  latest,
  onCreated,
}: EditorProps): Omit<EditorView, 'showHistory'> => {
  const [beginning, setBeginning] = useState<Beginning>({ locale: settings.locale, authorId: me.id, terms: [] })
  const begins = useRef(beginning)
  const { session, state } = useSession({
    type,
    entry,
    me,
    locale: settings.locale,
    beginning: () => ({ ...begins.current, terms: [...begins.current.terms] }),
  })
  const id = state.entry?.id
  const created = useEffectEvent(onCreated)
  useEffect(() => {
    if (entry === null && id !== undefined) created(id)
  }, [entry, id])
  useEffect(() => {
    if (latest) session.hear(latest)
  }, [session, latest])
  return useMemo(() => {
    const rights = rightsOf(me, state.entry)
    const change = (changes: Partial<Beginning>) => {
      begins.current = { ...begins.current, ...changes }
      setBeginning(begins.current)
      session.setLocale(begins.current.locale)
    }
    const canWrite = rights.edit && !isFrozen(state)
    return { type, me, settings, session, state, rights, canWrite, beginning, setBeginning: change }
  }, [type, me, settings, session, state, beginning])
}
