export const BillingScreen = () => null
