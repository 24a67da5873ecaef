import { useTheme } from '@stoa/ui/theme.ts'
import { useMediaQuery } from '@stoa/ui/use-media-query.ts'

/** Whether the admin is dark now, by choice or by the system. */
export const useDark = (): boolean => {
  const [theme] = useTheme()
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)')
  return theme === 'system' ? isSystemDark : theme === 'dark'
}
