import { iconButtonClass } from '@stoa/ui/button-class.ts'
import { appBase } from '@stoa/ui/request.ts'
import { Tooltip } from '@stoa/ui/tooltip.tsx'
import { ExternalLink } from 'lucide-react'

/** Opens a screen of the admin beside this one, so that nothing typed here is left. */
export const NewTabLink = ({ to, label }: { to: string; label: string }) => (
  <Tooltip label={`${label} in a new tab`}>
    <a
      href={`${appBase()}${to}`}
      target="_blank"
      rel="noreferrer"
      aria-label={`${label} in a new tab`}
      className={iconButtonClass('ghost', 'sm')}
    >
      <ExternalLink aria-hidden />
    </a>
  </Tooltip>
)
