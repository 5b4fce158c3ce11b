export const secondFactorKey = ['/api', 'staff', 'second-factor'] as const;
