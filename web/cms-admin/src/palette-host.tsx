import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { lazyAction } from '@stoa/ui/shell/lazy-action.ts'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { api } from './api.ts'
import type { Commands } from './commands.tsx'
import type { TypeHead } from './registry/screens.tsx'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

export type PaletteState = {
  searching: boolean
  everOpened: boolean
  setSearching: (open: boolean) => void
  search: () => void
}

/** The palette is fetched after the screen, so that it is there when someone asks for it. */
export const usePalette = (): PaletteState => {
  const [searching, setSearching] = useState(false)
  const [everOpened, setEverOpened] = useState(false)
  if (searching && !everOpened) setEverOpened(true)
  const search = () => void lazyAction(loadPalette, () => setSearching(true))
  useShortcut({
    keys: 'mod+k',
    description: 'Open the command menu',
    group: 'General',
    onPress: search,
  })
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(onlyLater), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
  return { searching, everOpened, setSearching, search }
}

const PRELOAD_MS = 1000

// A failed preload is ignored: the code is requested again when the palette opens
const onlyLater = (): void => undefined

type PaletteHostProps = Commands & { palette: PaletteState; types: readonly TypeHead[] }

/** Renders the palette once it has been opened for the first time. */
export const PaletteHost = ({ palette, ...offered }: PaletteHostProps) =>
  palette.everOpened ? (
    <Suspense>
      <Palette {...offered} open={palette.searching} onOpenChange={palette.setSearching} />
    </Suspense>
  ) : null

export const useSignOut = (): (() => void) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return async () => {
    try {
      await api.signOut()
    } catch (error) {
      toast({ tone: 'danger', title: "You're still signed in", description: messageOf(error) })
      return
    }
    await router.navigate({ to: '/sign-in', ignoreBlocker: true })
    queryClient.clear()
  }
}
