import { useTheme } from '@stoa/ui/theme.ts'
import { useMediaQuery } from '@stoa/ui/use-media-query.ts'

/** Whether the app is dark now. */
export const useIsDark = (): boolean => {
  const [theme] = useTheme()
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)')
  return theme === 'dark' || (theme === 'system' && isSystemDark)
}
