import { Client } from 'pg';
import { createTestDatabase, prepareTestTemplate } from './test-database.js';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe('test databases', () => {
  it('are separate for each caller, and can be dropped with open connections', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'CREATE TABLE mark (id int)');
    expect(await query(other.url, "SELECT to_regclass('mark') AS mark")).toEqual([{ mark: null }]);

    const open = new Client({ connectionString: one.url });
    open.on('error', () => undefined);
    await open.connect();
    await one.drop();
    await other.drop();
    await expect(query(one.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });

  it('fill a template once for concurrent callers, and clone it', async () => {
    let fills = 0;
    const fill = async (url: string): Promise<void> => {
      fills++;
      await query(url, 'CREATE TABLE gamers AS SELECT 7 AS id');
    };
    const name = `template_${process.pid}`;
    await Promise.all([
      prepareTestTemplate(name, fill),
      prepareTestTemplate(name, fill),
      prepareTestTemplate(name, fill),
    ]);
    expect(fills).toBe(1);

    const clones = await Promise.all([createTestDatabase(name), createTestDatabase(name)]);
    await query(clones[0]!.url, 'DELETE FROM gamers');
    expect(await query(clones[1]!.url, 'SELECT id FROM gamers')).toEqual([{ id: 7 }]);
    await Promise.all(clones.map((clone) => clone.drop()));
  });
});
