// Runs before the first paint, as its own file because the CSP refuses inline scripts.
// Storage throws when the browser blocks site data: the system's theme stays then.
try {
  const theme = localStorage.getItem('stoa-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch (error) {
  console.warn('The theme choice could not be read', error)
}
