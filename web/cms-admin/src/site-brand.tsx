import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ShellSite } from '@stoa/ui/shell/brand.tsx'
import { lazyDecoration } from '@stoa/ui/shell/lazy-decoration.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { may } from './allowed.tsx'
import { settingsQuery } from './settings/queries.ts'

const SiteLogo = lazyDecoration(async () => (await import('./media/site-logo.tsx')).SiteLogo)

/** The site as its settings name it; undefined while it has no name. */
export const useSiteBrand = (me: Me): ShellSite | undefined => {
  const { data: settings } = useQuery({ ...settingsQuery, enabled: may(me, 'content.read') })
  if (!settings || settings.title === '') return undefined
  const { title: name, url, logoId } = settings
  if (logoId === null) return { name, url }
  return {
    name,
    url,
    logo: (
      <Suspense>
        <SiteLogo id={logoId} />
      </Suspense>
    ),
  }
}
