import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { ErrorBoundary } from '@stoa/ui/feedback/error-boundary.tsx'
import { useAccountSwitchGuard } from '@stoa/ui/shell/account-switch-guard.ts'
import { lazyAction } from '@stoa/ui/shell/lazy-action.ts'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLabels } from './actions/known-labels.ts'
import { compose } from './compose/compose.ts'
import { ComposeHost } from './compose/compose-host.tsx'
import { FolderNav } from './folders/folder-nav.tsx'
import { GoKeys } from './folders/go-keys.tsx'
import { LiveMail } from './live/live-mail.tsx'
import { placeName, readPlace } from './places.ts'
import { foldersQuery, mailboxQuery, mailSettingsQuery } from './queries.ts'
import { rememberPlace } from './search/last-place.ts'
import { useLeaveMailbox } from './sign-in/after-sign-in.ts'
import { TopBar } from './top-bar.tsx'

/** The frame around the screens of somebody signed in to a mailbox. */
export const WebmailShell = () => {
  const { data: mailbox } = useSuspenseQuery(mailboxQuery)
  // Asked for here so that it is under way before the list needs it
  useQuery(mailSettingsQuery)
  const isPhone = useIsPhone()
  const { place, messageId } = useParams({ strict: false })
  const leave = useLeaveMailbox()
  const [isSearching, setSearching] = useState(false)
  const [everSearched, setEverSearched] = useState(false)
  if (isSearching && !everSearched) setEverSearched(true)
  useRememberedPlace(place)
  usePaletteAhead()
  useAccountSwitchGuard('stoa-mail:mailbox', mailbox.id)
  const write = () => compose({ kind: 'new' })
  const search = () => void lazyAction(loadPalette, () => setSearching(true))
  useShortcut({ keys: 'c', description: 'Write a message', group: 'General', onPress: write })
  useShortcut({
    keys: 'mod+k',
    description: 'Open command menu',
    group: 'General',
    onPress: search,
  })
  return (
    <div data-page="inside" className="flex h-dvh min-h-0 flex-col overflow-clip bg-canvas">
      <a
        href="#content"
        className="layer-tooltip sr-only top-2 left-2 rounded-md bg-inverse px-3 py-2 text-on-inverse text-sm focus:not-sr-only focus:fixed"
      >
        Skip to content
      </a>
      {isPhone && messageId !== undefined ? null : (
        <TopBar mailbox={mailbox} onCommands={search} onSignOut={() => void leave()} />
      )}
      <LiveMail />
      <div className="flex min-h-0 flex-1">
        {isPhone ? null : (
          <div className="flex w-56 shrink-0 flex-col gap-3 pt-3">
            <div className="px-2">
              <Button variant="primary" icon={<PenLine />} onClick={write} className="w-full">
                Compose
              </Button>
            </div>
            <FolderNav />
          </div>
        )}
        <main
          id="content"
          tabIndex={-1}
          className="relative min-h-0 min-w-0 flex-1 bg-surface outline-none desk:rounded-tl-lg desk:border-line desk:border-t desk:border-l"
        >
          <ErrorBoundary key={place}>
            {place === undefined ? (
              <div className="relative h-full overflow-y-auto">
                <div className="mx-auto w-full max-w-page px-4 pt-5 pb-16 desk:px-8 desk:pt-7">
                  <Outlet />
                </div>
              </div>
            ) : (
              <Outlet />
            )}
          </ErrorBoundary>
          {isPhone && place !== undefined && messageId === undefined ? <WriteButton onPress={write} /> : null}
        </main>
      </div>
      <GoKeys />
      <ComposeHost />
      {everSearched ? (
        <Suspense>
          <Palette open={isSearching} onOpenChange={setSearching} onSignOut={() => void leave()} />
        </Suspense>
      ) : null}
    </div>
  )
}

const loadPalette = () => import('./webmail-palette.tsx').then(({ WebmailPalette }) => ({ default: WebmailPalette }))
const Palette = lazy(loadPalette)

// People type right after mod+K: the menu must be there by then
const AHEAD_MS = 2000

const usePaletteAhead = (): void => {
  useEffect(() => {
    // Without an answer it is loaded when it is asked for
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), AHEAD_MS)
    return () => clearTimeout(timer)
  }, [])
}

/** Under the thumb, unless the notice about what is selected stands there. */
const WriteButton = ({ onPress }: { onPress: () => void }) => (
  <Button
    variant="primary"
    size="lg"
    icon={<PenLine />}
    onClick={onPress}
    data-write
    className="layer-sticky absolute right-4 bottom-4 in-[:has([data-all-notice])]:hidden rounded-full! px-5! shadow-md!"
  >
    Compose
  </Button>
)

/** A search in all folders knows where it was begun. */
const useRememberedPlace = (word: string | undefined): void => {
  const { data: folders } = useQuery(foldersQuery)
  const labels = useLabels()
  const place = word === undefined || !folders ? undefined : readPlace(word, folders.data, labels)
  const name = place && place.kind !== 'search' && place.kind !== 'scheduled' ? placeName(place) : undefined
  useEffect(() => {
    if (word !== undefined && name !== undefined) rememberPlace({ word, name })
  }, [word, name])
}
