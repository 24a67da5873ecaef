import { useStored } from '@stoa/ui/browser/stored.ts'
import { useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'
import { ErrorBoundary } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { SidePanel } from '@stoa/ui/shell/side-panel.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { createContext, Suspense, use, useState } from 'react'
import type { SidePanel as Registered } from './registry/side-panels.ts'

export type SidePanelState = {
  /** The one that is open. */
  shown: Registered | undefined
  /** Too narrow to stand beside a screen: it lies above it. */
  isSheet: boolean
  /** Someone opened it just now, so that it takes the focus; not when it is still open from the last visit. */
  isFresh: boolean
  /** How much of the window it takes, in percent. */
  share: number
  open: (id: string) => void
  close: () => void
  toggle: (id: string) => void
  setShare: (share: number) => void
}

/** Opens and closes the panels at the side, for screens and field actions. */
export const SidePanelContext = createContext<Pick<SidePanelState, 'open' | 'close'> | null>(null)

export const useSidePanel = (): Pick<SidePanelState, 'open' | 'close'> => {
  const side = use(SidePanelContext)
  if (side === null) throw new Error('This component must be inside the shell')
  return side
}

// Beside the navigation and a panel, a screen would be as narrow as a phone
const NARROW = '(width < 64rem)'
const SHARE = { min: 22, usual: 28, max: 45 }

type Kept = { id: string; share: number }

const readKept = (stored: unknown): Kept => {
  const { id, share }: { id?: unknown; share?: unknown } = typeof stored === 'object' && stored !== null ? stored : {}
  const isShare = typeof share === 'number' && share >= SHARE.min && share <= SHARE.max
  return { id: typeof id === 'string' ? id : '', share: isShare ? share : SHARE.usual }
}

/** Which panel is open. The browser keeps it, except for one that would lie above the screen at the next visit. */
export const useSidePanelState = (panels: readonly Registered[]): SidePanelState => {
  const isSheet = useMediaQuery(NARROW)
  const [kept, keep] = useStored('cms:side-panel', readKept)
  const [sheetId, setSheetId] = useState('')
  const [isFresh, setIsFresh] = useState(false)
  const id = isSheet ? sheetId : kept.id
  const shown = panels.find((panel) => panel.id === id)
  const show = (next: string) => {
    setIsFresh(true)
    if (isSheet) setSheetId(next)
    else keep({ ...kept, id: next })
  }
  const close = () => show('')
  return {
    shown,
    isSheet,
    isFresh,
    share: kept.share,
    open: show,
    close,
    toggle: (next) => (shown?.id === next ? close() : show(next)),
    setShare: (share) => keep({ ...kept, share }),
  }
}

/** The open panel at the right of the screen. */
export const SidePanelHost = ({ panel, state }: { panel: Registered; state: SidePanelState }) => (
  <SidePanel
    key={panel.id}
    label={panel.label}
    isSheet={state.isSheet}
    takesFocus={state.isFresh}
    share={state.share}
    minShare={SHARE.min}
    maxShare={SHARE.max}
    onShare={state.setShare}
    onClose={state.close}
  >
    <ErrorBoundary title={`${panel.label} stopped working`}>
      <Suspense fallback={<SkeletonText lines={4} label={`Loading ${panel.label}`} />}>
        <panel.Component onClose={state.close} />
      </Suspense>
    </ErrorBoundary>
  </SidePanel>
)

type PanelShortcutsProps = { panels: readonly Registered[]; onToggle: (id: string) => void }

/** The keys that open and close the panels. */
export const PanelShortcuts = ({ panels, onToggle }: PanelShortcutsProps) =>
  panels.map(({ id, label, shortcut }) =>
    shortcut === undefined ? null : (
      <PanelShortcut key={id} label={label} keys={shortcut} onPress={() => onToggle(id)} />
    ),
  )

type PanelShortcutProps = { label: string; keys: string; onPress: () => void }

const PanelShortcut = ({ label, keys, onPress }: PanelShortcutProps) => {
  useShortcut({ keys, description: `Open or close ${label}`, group: 'General', onPress })
  return null
}
