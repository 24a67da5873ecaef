import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { visualOf } from '@stoa/cms-model/visual.ts'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { SignInAgainDialog } from '@stoa/ui/sign-in/sign-in-again-dialog.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type SlugReference, SlugReferences } from '../../fields/slug-references.ts'
import { TextLanguageContext, textLanguageOf } from '../../fields/text-language.ts'
import { signInAgain } from '../../signed-out.ts'
import { visualQuery } from '../../visual/pages.ts'
import { useCarried } from '../session/carried.ts'
import { nameOf } from '../session/labels.ts'
import { rightsOf, savesByItself } from '../session/rights.ts'
import type { EditorSession } from '../session/session.ts'
import { isDirty, isFrozen, type State } from '../session/session-state.ts'
import { type Recovery, useRecovery } from '../session/use-recovery.ts'
import { useSession } from '../session/use-session.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { type Beginning, EditorProvider, type EditorView } from './editor-context.ts'
import { useUndoKeys } from './use-undo-keys.ts'

export type EditingProps = {
  type: ContentType
  me: Me
  settings: Settings
  /** Null begins a new one. */
  entry: Entry | null
  /** The latest entry from the service; it may be newer than the edited version. */
  latest: Entry | undefined
  onCreated: (id: string) => void
}

type Layout = Pick<EditorView, 'showHistory' | 'publishIn'> & { children: (recovery: Recovery) => ReactNode }

/** The work at one entry, whatever the layout around it: its session, what protects it, and what has to be decided. */
export const Editing = ({ showHistory, publishIn, children, ...props }: EditingProps & Layout) => {
  const { type, me } = props
  const view = { ...useEditorView(props), showHistory, publishIn }
  const { session, state } = view
  const recovery = useRecovery(session, { account: me.id, type: type.name, translationOf: null })
  const isCarried = useCarried() !== null
  useLeaving(state, { isCarried, isKept: recovery.isKept })
  // A window with one history for all of its screens handles the keys itself
  useUndoKeys(session.stack, { enabled: !isCarried && !isFrozen(state), inFields: false })
  const references = useSlugReferences(type)
  const language = useMemo(() => textLanguageOf(state.locale), [state.locale])
  return (
    <EditorProvider value={view}>
      <title>{`${state.entry === null && state.values.title === '' ? `New ${type.label.toLowerCase()}` : nameOf(state.values)} · ${type.labelPlural} · Stoa CMS`}</title>
      <SlugReferences value={references}>
        <TextLanguageContext value={language}>{children(recovery)}</TextLanguageContext>
      </SlugReferences>
      {state.conflict === null ? null : <ConflictDialog conflict={state.conflict} />}
      {state.isSignedOut ? <SignInAgain me={me} session={session} /> : null}
    </EditorProvider>
  )
}

/** Slug references as the website has declared them for the pages of the type. */
const useSlugReferences = ({ name }: ContentType): Readonly<Record<string, SlugReference>> => {
  const { data } = useQuery(visualQuery)
  return (data && visualOf(data.types, name)?.references) ?? NO_REFERENCES
}

const NO_REFERENCES = {}

const useEditorView = ({
  type,
  me,
  settings,
  entry,
  latest,
  onCreated,
}: EditingProps): Omit<EditorView, 'showHistory' | 'publishIn'> => {
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
    if (latest) session.receive(latest)
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

/** An entry is kept in the browser, too, and saved as soon as somebody is signed in. */
const SignInAgain = ({ me, session }: { me: Me; session: EditorSession }) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return (
    <SignInAgainDialog
      {...signInAgain({ email: me.email, router, queryClient })}
      kept="still here and stored in this browser"
      onDone={session.signedIn}
    />
  )
}

/** Drafts are saved when leaving; closing the tab asks all the same, as it would interrupt the save. */
const useLeaving = (state: State, kept: { isCarried: boolean; isKept: boolean }): void => {
  const dirty = isDirty(state)
  const isStuck = isFrozen(state) || state.isOffline || state.problems.length > 0 || state.refusal !== undefined
  useUnsavedChanges(dirty && (isStuck || !savesByItself(state.entry)), kept)
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
}
