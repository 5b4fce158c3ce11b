import { AdminSection } from '../features/admin/admin-section.js';
import { Page } from './page.js';

export const AdminPage = () => (
  <Page title="Admin Panel">
    <AdminSection />
  </Page>
);
